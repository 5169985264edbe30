/// An element for a collection whose type is not known.
enum UnmanagedElement {
  case scalar(_StoredValue)
  case mixed(AnyRealmValue)
  /// Nil is a null in a map of objects.
  case object(ObjectBase?)
  /// A value of a custom type as such; nil is a null.
  case custom(Any?)
}

/// A list or set of an unmanaged object.
protocol UnmanagedList {
  /// Replaces the content; or the position of the first element that is none of the collection's type.
  func replace(with elements: [UnmanagedElement]) -> Int?
}

/// A map of an unmanaged object.
protocol UnmanagedMap {
  /// Replaces the content; or the position of the first value that is none of the map's type.
  func replace(with entries: [(key: String, value: UnmanagedElement)]) -> Int?
}

/// A map as something to copy from.
protocol AnyMap {
  var anyEntries: [(key: String, value: Any)] { get }
  /// What the schema says of a value; nil when it has to be found out from the values.
  var valueShape: _PropertyShape? { get }
}

extension RealmCollectionValue {
  /// The element that is stored like this; nil when there is none.
  static func _make(_ element: UnmanagedElement) -> Self? {
    switch element {
    case .scalar(let stored): (Self.self as? any _Persistable.Type)?._make(stored) as? Self ?? _null
    case .mixed(let value): value as? Self
    case .object(let object?): object as? Self
    case .custom(let value?): value as? Self
    case .object(nil), .custom(nil): _null
    }
  }

  /// The elements that are stored like these, up to the first that is stored like none.
  static func _make(_ elements: [UnmanagedElement]) -> [Self] {
    var new: [Self] = []
    new.reserveCapacity(elements.count)
    for element in elements {
      guard let element = _make(element) else { break }
      new.append(element)
    }
    return new
  }
}
