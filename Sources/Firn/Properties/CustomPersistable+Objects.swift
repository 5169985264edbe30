internal import FirnEngine

// Values of custom types that are stored as embedded objects, where their type is known at run time only.

extension _CustomPersistable {
  /// The value that an object stands for; nil when there is none, or the object is of another class.
  static func _converted(_ object: ObjectBase) -> Any? { (object as? PersistedType).flatMap { _fromPersisted($0) } }

  /// What the type's default is stored as; nil when it has none.
  static func _storedDefault() -> Any? { _fromPersisted(PersistedType._freshValue())?._storedForm }

  static func _isValue(_ value: Any) -> Bool { value is Self }
}

extension _PropertyShape {
  /// What a link, or an element of a collection of links, is made from: of a value of a custom type the object that is
  /// stored for it, also for the default that a null stands for. Nil for null.
  func linked(_ input: Any) -> Any? {
    guard let value = Unwrapping.value(input) else {
      return nullIsDefault && collection != .list ? custom?._storedDefault() : nil
    }
    guard let custom, custom._isValue(value) else { return value }
    return Unwrapping.persisted(value)
  }
}

extension ObjectBase {
  /// What the link of a property leads to, for any thread; nil for null and when it is gone.
  ///
  /// - Parameter inOwnClass: Whether it is an object of its own class, whatever this one is.
  final func _storedTarget(_ column: Int, inOwnClass: Bool = true) -> ObjectBase? {
    let slot = _table.unsafelyUnwrapped.slot(column)
    let target = _withStoredRow(slot) { cluster, row, _ in
      IntLeaf.value(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row)
    }
    return target == 0 ? nil : _awayTarget(target, column, inOwnClass: inOwnClass)
  }
}
