internal import FirnEngine
internal import FirnReactive

extension CollectionChange: WeighedSpan {
  var weight: Int {
    switch self {
    case .step(let positions, _, _):
      positions.deletions.count + positions.insertions.count + positions.modifications.count
    case .composed(let delta): delta.runCount
    }
  }
}

extension CollectionChange {
  /// The change of a collection that has `count` elements now.
  init(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], count: Int) {
    self = .step(
      PositionChanges(deletions: deletions, insertions: insertions, modifications: modifications),
      from: count - insertions.count + deletions.count, to: count)
  }
}

extension MapKeyChanges: WeighedSpan {
  var weight: Int { weight(of: deletions) + weight(of: insertions) + weight(of: modifications) }

  private func weight(of keys: [String]) -> Int { keys.reduce(0) { $0 + AnyStreamLog.units($1.utf8.count) } }
}

extension GroupChange: WeighedSpan {
  var weight: Int { entries.reduce(0) { $1.key.reduce($0 + 1) { $0 + $1.weight } } }
}

extension KeyedChange: WeighedSpan {
  var weight: Int { left.values.reduce(present.count) { $0 + $1.weight } }
}

extension Value {
  /// Units that a key takes.
  fileprivate var weight: Int {
    switch self {
    case .string(let bytes), .data(let bytes): AnyStreamLog.units(bytes.count)
    default: 1
    }
  }
}

extension SectionsSpan: WeighedSpan {
  var weight: Int { runCount }
}

extension SectionSpan: WeighedSpan {
  var weight: Int { runCount }
}

extension ChangeSet: WeighedSpan {
  var weight: Int { touchedRowCount }
}

/// Properties that were written.
struct PropertiesSpan: WeighedSpan {
  var names: Set<String>
  /// Whether the object was deleted, which there is to tell even if nothing was written.
  var isDeleted = false

  var isEmpty: Bool { names.isEmpty && !isDeleted }
  var weight: Int { names.count }

  mutating func merge(_ later: PropertiesSpan) {
    names.formUnion(later.names)
    isDeleted = isDeleted || later.isDeleted
  }
}

/// Something is another value than before; only the last counts.
struct ValueSpan: WeighedSpan {
  var isEmpty: Bool { false }
  var weight: Int { 1 }

  mutating func merge(_ later: ValueSpan) {}
}
