/// The entries that are found at one place, each once. Few are compared, many are hashed.
struct RoutedEntries {
  private var few: [RoutedEntry] = []
  private var many: [ObjectIdentifier: RoutedEntry] = [:]

  private static let fewMax = 16

  var isEmpty: Bool { few.isEmpty && many.isEmpty }

  mutating func insert(_ entry: RoutedEntry) {
    if many.isEmpty, few.count < Self.fewMax {
      if !few.contains(where: { $0 === entry }) { few.append(entry) }
      return
    }
    for entry in few { many[ObjectIdentifier(entry)] = entry }
    few = []
    many[ObjectIdentifier(entry)] = entry
  }

  /// Returns the number of entries that were compared.
  mutating func remove(_ entry: RoutedEntry) -> Int {
    if !many.isEmpty {
      many[ObjectIdentifier(entry)] = nil
      return 1
    }
    let count = few.count
    few.removeAll { $0 === entry }
    return count
  }

  func forEach(_ body: (RoutedEntry) -> Void) {
    for entry in few { body(entry) }
    for entry in many.values { body(entry) }
  }
}
