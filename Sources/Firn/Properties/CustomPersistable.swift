/// A type of your own that is stored as another one, to which it always can be converted back.
///
///     struct Celsius: CustomPersistable {
///         typealias PersistedType = Double
///         var degrees: Double
///         init(persistedValue: Double) { degrees = persistedValue }
///         var persistableValue: Double { degrees }
///     }
///
/// May then be the type of a property or an optional one, of the elements of a collection, of an operand in `where`, and
/// of an index or primary key if the stored type may be. Objects in a realm hold the stored value: it is converted at
/// every read, and unmanaged objects keep the custom value. Sorting and aggregates go by the stored value.
///
/// A property without initial value starts with what `init(persistedValue:)` makes of the stored type's default.
///
/// The stored type may be a class derived from ``EmbeddedObject``, for values of several parts:
///
///     class CoordinateObject: EmbeddedObject {
///         @Persisted var latitude: Double
///         @Persisted var longitude: Double
///     }
///     struct Coordinate: CustomPersistable {
///         typealias PersistedType = CoordinateObject
///         var latitude, longitude: Double
///         init(persistedValue: CoordinateObject) {
///             latitude = persistedValue.latitude
///             longitude = persistedValue.longitude
///         }
///         var persistableValue: CoordinateObject { CoordinateObject(value: [latitude, longitude]) }
///     }
///
/// Each value has an object of its own then, which must be made anew by `persistableValue`; assigning another value
/// replaces it. Such a type may be the type of a property, also an optional one, and of the elements of a ``List`` or
/// ``Map``, not of a ``MutableSet``. Conditions compare member by member, so the members must be neither links nor
/// collections where there are such conditions. A null that is stored for a required property or value of a map reads as
/// the type's default, and so does the property once its object was deleted.
public protocol CustomPersistable: _CustomPersistable {
  /// Makes a value from its stored form.
  init(persistedValue: PersistedType)
  /// What is stored for the value.
  var persistableValue: PersistedType { get }
}

/// A type of your own that is stored as another one, not all of whose values can be converted back.
///
///     struct Link: FailableCustomPersistable {
///         typealias PersistedType = String
///         let url: URL
///         init?(persistedValue: String) {
///             guard let url = URL(string: persistedValue) else { return nil }
///             self.url = url
///         }
///         var persistableValue: String { url.absoluteString }
///     }
///
/// Used like a ``CustomPersistable``. A stored value that cannot be converted reads as nil from an optional property or
/// element. From a required property it reads as the initial value of the declaration, or else as the default; that is
/// logged once for each type. A required property needs an initial value when the default of the stored type cannot be
/// converted: where there is neither, reading such a property traps.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Makes a value from its stored form; nil when there is none for it.
  init?(persistedValue: PersistedType)
  /// What is stored for the value.
  var persistableValue: PersistedType { get }
}

/// A type that is stored as its raw value: an enumeration, an option set, or any other `RawRepresentable`.
///
///     struct Flags: OptionSet {
///         let rawValue: Int
///         static let bold = Flags(rawValue: 1)
///     }
///
///     extension Flags: PersistableRawRepresentable {}
///
/// Used like a ``FailableCustomPersistable``: raw values without a value of the type read as nil or the declared initial
/// value. May be indexed, and be a primary key, where the raw type may.
public protocol PersistableRawRepresentable: _CustomPersistable, RawRepresentable where PersistedType == RawValue {}

extension CustomPersistable {
  @inlinable
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }

  /// Hashes the stored value; of an embedded object its members.
  public func hash(into hasher: inout Hasher) { persistableValue._customHash(into: &hasher) }
}

extension FailableCustomPersistable {
  @inlinable
  public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }

  /// Hashes the stored value; of an embedded object its members.
  public func hash(into hasher: inout Hasher) { persistableValue._customHash(into: &hasher) }
}

extension PersistableRawRepresentable {
  @inlinable
  public static func _fromPersisted(_ value: RawValue) -> Self? { Self(rawValue: value) }

  /// The raw value, which is what is stored.
  @inlinable
  public var persistableValue: RawValue { rawValue }
}
