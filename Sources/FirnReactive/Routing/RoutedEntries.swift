/// The entries that are found at one place, each once. Mostly it is one; few are compared, many are hashed.
struct RoutedEntries<Entry: RoutedEntry> {
  private var first: Entry?
  private var few: [Entry] = []
  private var many: [ObjectIdentifier: Entry] = [:]

  private static var fewMax: Int { 16 }

  var isEmpty: Bool { first == nil && few.isEmpty && many.isEmpty }

  mutating func insert(_ entry: Entry) {
    if first === entry { return }
    if !many.isEmpty {
      many[ObjectIdentifier(entry)] = entry
    } else if first == nil, few.isEmpty {
      first = entry
    } else if few.count < Self.fewMax {
      if !few.contains(where: { $0 === entry }) { few.append(entry) }
    } else {
      for entry in few { many[ObjectIdentifier(entry)] = entry }
      few = []
      many[ObjectIdentifier(entry)] = entry
    }
  }

  /// Returns the number of entries that were compared.
  @discardableResult
  mutating func remove(_ entry: Entry) -> Int {
    if first === entry {
      first = nil
      return 1
    }
    if !many.isEmpty {
      many[ObjectIdentifier(entry)] = nil
      return 1
    }
    let count = few.count
    few.removeAll { $0 === entry }
    return count
  }

  @inline(__always)
  func forEach(_ body: (Entry) -> Void) {
    if let first { body(first) }
    if !few.isEmpty { for entry in few { body(entry) } }
    if !many.isEmpty { for entry in many.values { body(entry) } }
  }
}
