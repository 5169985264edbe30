/// What happened to a map between two versions, by keys, each ascending by its bytes.
///
/// A key that was removed and came again is among both the deletions and the insertions.
package struct MapKeyChanges: Hashable, Sendable {
  package private(set) var deletions: [String] = []
  package private(set) var insertions: [String] = []
  package private(set) var modifications: [String] = []

  package init() {}

  /// All three must ascend by their bytes.
  package init(deletions: [String], insertions: [String], modifications: [String]) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  /// The keys at the positions of a delta.
  ///
  /// - Parameters:
  ///   - old: The `MapTree` before, nil when it was empty.
  ///   - new: The `MapTree` afterwards, nil when it is empty.
  /// - Complexity: O(k log n) for k changed keys.
  package init(_ delta: ListDelta, from old: UnsafeRawPointer?, to new: UnsafeRawPointer?) {
    let positions = delta.positions()
    deletions = Self.keys(old, positions.deletions)
    insertions = Self.keys(new, positions.insertions)
    modifications = Self.keys(old, positions.modifications)
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Adds what happened afterwards.
  ///
  /// A key that came and went leaves no trace; one that came and was written later has just come.
  package mutating func merge(_ later: MapKeyChanges) {
    if isEmpty {
      self = later
      return
    }
    if later.isEmpty { return }
    let wasInserted = Set(insertions.map(Key.init))
    let isDeleted = Set(later.deletions.map(Key.init))
    let isInserted = Set(later.insertions.map(Key.init))
    func merged(_ earlier: [String], _ later: [String], _ keeps: (Key) -> Bool, _ adds: (Key) -> Bool) -> [String] {
      let kept = Set(earlier.map(Key.init).filter(keeps))
      return kept.union(later.lazy.map(Key.init).filter(adds)).sorted().map(\.text)
    }
    modifications = merged(
      modifications, later.modifications, { !isDeleted.contains($0) }, { !wasInserted.contains($0) })
    deletions = merged(deletions, later.deletions, { _ in true }, { !wasInserted.contains($0) })
    insertions = merged(
      insertions, later.insertions, { !isDeleted.contains($0) || isInserted.contains($0) }, { _ in true })
  }

  /// A key as the map sees it: by its bytes, not by canonical equivalence.
  private struct Key: Hashable, Comparable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    static func < (left: Key, right: Key) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private static func keys(_ root: UnsafeRawPointer?, _ positions: [Int]) -> [String] {
    guard let root else { return [] }
    return positions.map { MapTree.key(root, at: $0).withBytes { String(decoding: $0, as: UTF8.self) } }
  }
}
