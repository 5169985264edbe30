public import Firn

/// A type of your own that is stored in a property, by the mapping protocols of WCDB.
///
///     struct Color: ColumnCodable {
///         var rgb: Int64
///         static var columnType: ColumnType { .integer64 }
///         init?(with value: Value) { rgb = value.int64Value }
///         func archivedValue() -> Value { Value(rgb) }
///     }
///
///     class Car: Object {
///         @Persisted var color: Color?
///     }
///
/// May be the type of a property, or an optional one. Structures, classes and enumerations may conform; structures are
/// recommended, since a change inside of a class instance is not seen: the stored form was made when the property was set,
/// and each read makes a new instance.
///
/// A stored value that cannot be read back is nil in an optional property. A required one then reads as the initial value
/// of its declaration, or else as what ``ColumnDecodable/init(with:)`` makes of 0, "" or no bytes; one of the two must
/// exist, or opening the realm throws. Setting a required property to a value whose ``ColumnEncodable/archivedValue()`` is
/// null, or any property to one whose stored form is not of ``ColumnCodableBase/columnType``, makes the commit throw.
///
/// Properties stored as integers or texts may be indexed, and be the primary key. Queries compare the stored form.
///
/// May be the type of the elements of a `List`, `MutableSet` or `Map`, too. Values are equal when their
/// stored forms are, unless the type says what equal means.
public protocol ColumnCodable: ColumnEncodable, ColumnDecodable, _Persistable, _PersistableInsideOptional,
  _RealmCollectionValueInsideOptional, _QueryOperand, _HasStoredForm
where PersistedType == _ColumnForm {}

/// The stored form of a ``ColumnCodable`` type as far as the compiler knows it: its kind is found out at run time.
public enum _ColumnForm: _Indexable, _PrimaryKey, _QueryOrdered {
  public var _constant: _Constant { switch self {} }
}
