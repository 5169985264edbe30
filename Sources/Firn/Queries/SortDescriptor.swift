/// A property to sort by, and the direction.
@frozen
public struct SortDescriptor: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// Property names joined by dots; all but the last are links.
  public let keyPath: String
  /// Whether small values come first.
  public let ascending: Bool
  /// Whether nil comes last in both directions, and with it what lies behind links that are nil. Without this nil is the
  /// smallest value, and a link that is nil on the way the opposite.
  public let nilsLast: Bool

  /// Sorts by a property given by its name, or a path of names. Whether there is one is found out when sorting.
  public init(keyPath: String, ascending: Bool = true, nilsLast: Bool = false) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.nilsLast = nilsLast
  }

  /// A computed property stands for the persisted one that it reads. Traps for a key path that reads none, or several.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true, nilsLast: Bool = false) {
    let path = StoreSchema.tracedPath(of: keyPath, on: Element.self)
    if path.names.isEmpty {
      fatalError("Cannot sort on a key path of '\(Element.className())' that is not a persisted property.")
    }
    path.checkIsSingle(on: Element.self, to: "sort")
    self.init(keyPath: path.text, ascending: ascending, nilsLast: nilsLast)
  }

  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The same property in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending, nilsLast: nilsLast)
  }

  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending")\(nilsLast ? ", nilsLast" : ""))"
  }
}
