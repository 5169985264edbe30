internal import FirnEngine

/// What happens to the objects that a link or collection leads to when the object that has the property is deleted.
///
///     class Order: Object {
///         @Persisted(deleteRule: .cascade) var lines: List<OrderLine>
///         @Persisted(deleteRule: .deny) var bill: Bill?
///     }
///
/// The rule counts when the object with the property is deleted, by itself or by a rule; taking an object out of a list
/// or assigning another one deletes nothing. Links *to* a deleted object become nil, whatever their rule. Rules are not
/// stored in the file: the model decides.
public enum DeleteRule: UInt8, Sendable {
  /// The targets stay. What a property without a rule has.
  case nullify = 0
  /// The targets are deleted too, and what their rules say after that. Cycles and long chains are fine.
  case cascade = 1
  /// The transaction cannot be committed while a target exists: committing throws ``Realm/Error/deletionDenied``, which
  /// names both objects, and rolls back. Deleting the targets in the same transaction, or clearing the property first,
  /// allows it.
  case deny = 2

  var linkKind: LinkKind {
    switch self {
    case .nullify: .nullify
    case .cascade: .cascade
    case .deny: .deny
    }
  }
}

/// A property that leads to objects of their own: a link, or a collection of links. Not to be conformed to directly.
public protocol _Relation: _Persistable {}

extension Optional: _Relation where Wrapped: Object {}
extension List: _Relation where Element: Object {}
extension MutableSet: _Relation where Element: Object {}
extension Map: _Relation where Value: OptionalProtocol, Value.Wrapped: Object {}

extension Persisted where Value: _Relation {
  /// - Parameter deleteRule: What happens to the targets when the object that has this property is deleted.
  @inlinable @inline(__always)
  public init(deleteRule: DeleteRule) {
    value = nil
    slot = PropertySlot.declared(deleteRule.rawValue)
  }

  /// - Parameters:
  ///   - wrappedValue: The initial value, evaluated for each new object.
  ///   - deleteRule: What happens to the targets when the object that has this property is deleted.
  @inlinable @inline(__always)
  public init(wrappedValue: Value, deleteRule: DeleteRule) {
    self.init(wrappedValue: wrappedValue)
    slot |= PropertySlot.declared(deleteRule.rawValue)
  }
}

extension RealmInstance {
  /// What a denied deletion throws.
  func error(_ denied: DeletionDenied) -> Realm.Error {
    func name(_ table: TableID, _ key: RowKey, _ primaryKey: Value?) -> String {
      let name = store.schema.models[table.index].name
      return primaryKey.map { "'\(name)' with primary key '\($0.text)'" } ?? "'\(name)' in row \(key.rawValue)"
    }
    let property = store.schema.tables[denied.table.index].columns[denied.column.index].name
    return Realm.Error(
      .deletionDenied,
      "The object \(name(denied.table, denied.key, denied.primaryKey)) cannot be deleted: its property '\(property)' "
        + "has the delete rule .deny and leads to the object "
        + "\(name(denied.target, denied.targetKey, denied.targetPrimaryKey)). Delete that one too, or clear the "
        + "property first.")
  }

  /// Copies rows for their live accessors before a rule or an owner deletes them.
  func prepareDeletion(of keys: [RowKey], in table: TableID, _ writer: Writer) {
    bumpEpoch()
    keepLastValues(of: keys, in: table, writer.snapshot)
  }
}
