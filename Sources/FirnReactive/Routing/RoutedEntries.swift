/// The entries that are found at one place, each once. Mostly it is one; few are compared, many are hashed.
enum RoutedEntries {
  case none
  case one(RoutedEntry)
  case few([RoutedEntry])
  case many([ObjectIdentifier: RoutedEntry])

  private static var fewMax: Int { 16 }

  var isEmpty: Bool { if case .none = self { true } else { false } }

  mutating func insert(_ entry: RoutedEntry) {
    switch self {
    case .none: self = .one(entry)
    case .one(let first): if first !== entry { self = .few([first, entry]) }
    case .few(var entries):
      if entries.contains(where: { $0 === entry }) { return }
      self = .none
      entries.append(entry)
      self =
        entries.count <= Self.fewMax
        ? .few(entries) : .many(Dictionary(uniqueKeysWithValues: entries.map { (ObjectIdentifier($0), $0) }))
    case .many(var entries):
      self = .none
      entries[ObjectIdentifier(entry)] = entry
      self = .many(entries)
    }
  }

  /// Returns the number of entries that were compared.
  @discardableResult
  mutating func remove(_ entry: RoutedEntry) -> Int {
    switch self {
    case .none: return 0
    case .one(let first):
      if first === entry { self = .none }
      return 1
    case .few(var entries):
      self = .none
      let count = entries.count
      entries.removeAll { $0 === entry }
      self = entries.isEmpty ? .none : .few(entries)
      return count
    case .many(var entries):
      self = .none
      entries[ObjectIdentifier(entry)] = nil
      self = entries.isEmpty ? .none : .many(entries)
      return 1
    }
  }

  @inline(__always)
  func forEachEntry(_ body: (RoutedEntry) -> Void) {
    switch self {
    case .none: break
    case .one(let entry): body(entry)
    case .few(let entries): for entry in entries { body(entry) }
    case .many(let entries): for entry in entries.values { body(entry) }
    }
  }
}
