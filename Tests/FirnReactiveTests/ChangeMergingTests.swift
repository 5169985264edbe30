import FirnEngine
import FirnReactive
import Testing

@Suite("Deltas and change sets merge exactly")
struct ChangeMergingTests {
  /// An element that is recognised after it moved, with the number of times it was assigned.
  private struct Element: Hashable {
    var identity: Int
    var assignments = 0
  }

  @Test("list deltas over random spans", arguments: 0..<20)
  func listDeltas(round: Int) {
    var random = SeededRandom.printed("listDeltas \(round)")
    var next = 0
    var list: [Element] = []
    for _ in 0..<random.below(400) {
      list.append(Element(identity: next))
      next += 1
    }
    var states = [list]
    var deltas: [ListDelta] = []
    for _ in 0..<12 {
      var recorder = ListDeltaRecorder(count: list.count)
      for _ in 0..<random.below(round < 10 ? 6 : 80) { write(&list, &recorder, &next, &random) }
      #expect(recorder.count == list.count)
      let delta = recorder.delta()
      delta.checkInvariants()
      deltas.append(delta)
      states.append(list)
    }
    for start in deltas.indices {
      var composed = ListDelta(count: states[start].count)
      for end in start..<deltas.count {
        composed.compose(with: deltas[end])
        composed.checkInvariants()
        check(composed, from: states[start], to: states[end + 1])
      }
    }
  }

  private func write(
    _ list: inout [Element], _ recorder: inout ListDeltaRecorder, _ next: inout Int, _ random: inout SeededRandom
  ) {
    switch random.below(40) {
    case 0:
      list.removeAll()
      recorder.removeAll()
    case 1..<8:
      list.append(Element(identity: next))
      recorder.insert(at: list.count - 1)
      next += 1
    case 8..<18:
      let position = random.below(list.count + 1)
      let count = 1 + random.below(3)
      list.insert(contentsOf: (0..<count).map { Element(identity: next + $0) }, at: position)
      recorder.insert(at: position, count: count)
      next += count
    case 18..<30 where !list.isEmpty:
      let position = random.below(list.count)
      let count = min(1 + random.below(3), list.count - position)
      list.removeSubrange(position..<position + count)
      recorder.remove(at: position, count: count)
    case 30... where !list.isEmpty:
      let position = random.below(list.count)
      list[position].assignments += 1
      recorder.touch(at: position)
    default: break
    }
  }

  private func check(_ delta: ListDelta, from old: [Element], to new: [Element]) {
    #expect(delta.oldCount == old.count)
    #expect(delta.newCount == new.count)
    if delta == ListDelta(replacing: old.count, with: new.count) { return }
    let oldIdentities = Set(old.map(\.identity))
    let newIdentities = Set(new.map(\.identity))
    delta.forEachRun { kind, count, oldStart, newStart in
      for offset in 0..<count {
        switch kind {
        case .keep: #expect(old[oldStart + offset] == new[newStart + offset])
        case .touch:
          #expect(old[oldStart + offset].identity == new[newStart + offset].identity)
          #expect(old[oldStart + offset].assignments < new[newStart + offset].assignments)
        case .drop: #expect(!newIdentities.contains(old[oldStart + offset].identity))
        case .insert: #expect(!oldIdentities.contains(new[newStart + offset].identity))
        }
      }
    }
    let positions = delta.positions()
    var rebuilt = old.map(\.identity)
    for position in positions.deletions.reversed() { rebuilt.remove(at: position) }
    for position in positions.insertions { rebuilt.insert(new[position].identity, at: position) }
    #expect(rebuilt == new.map(\.identity))
  }

  @Test("appending stays one run; wholesale changes become a replacement")
  func runCounts() {
    var appending = ListDeltaRecorder(count: 10)
    for position in 10..<5000 { appending.insert(at: position) }
    #expect(appending.delta().runCount == 2)
    var touching = ListDeltaRecorder(count: 1000)
    for position in stride(from: 0, to: 1000, by: 2) { touching.touch(at: position) }
    #expect(touching.delta().runCount == 1000 || touching.delta() == ListDelta(replacing: 1000, with: 1000))
    var cancelled = ListDeltaRecorder(count: 5)
    cancelled.insert(at: 2)
    cancelled.touch(at: 2)
    cancelled.remove(at: 2)
    #expect(cancelled.delta().isEmpty)
  }

  /// Those that occur several times are the ones at the same places, so that what stays is a longest run.
  @Test func rowsThatRepeatStayWhereTheyAre() {
    let (a, b, c) = (RowKey(1), RowKey(2), RowKey(3))
    #expect(PositionChanges(from: [a, a, b, a], to: [a, a, b, a]) { _ in false }.isEmpty)
    let changes = PositionChanges(from: [a, b, a, a], to: [a, c, a, a, a]) { $0 == a }
    #expect(changes.deletions == [1])
    #expect(changes.insertions == [1, 4])
    #expect(changes.modifications == [0, 2, 3])
  }

  @Test("table changes", arguments: 0..<20)
  func tableChanges(round: Int) {
    var random = SeededRandom.printed("tableChanges \(round)")
    var present = Set((0..<20).map { UInt64($0) })
    var nextKey: UInt64 = 20
    let start = present
    var merged = TableChanges()
    var written: [UInt64: ColumnSet] = [:]
    var lists: [ListID: ListDelta] = [:]
    for _ in 0..<30 {
      var commit = TableChanges()
      let before = present.sorted()
      for key in before where random.chance(15) {
        present.remove(key)
        commit.deleted.append(RowKey(key))
        written[key] = nil
        lists[ListID(row: RowKey(key), column: ColumnID(1))] = nil
      }
      for key in before where present.contains(key) && random.chance(20) {
        let columns = ColumnSet([ColumnID(random.below(256))])
        commit.modified.append(ModifiedRow(key: RowKey(key), columns: columns))
        let list = ListID(row: RowKey(key), column: ColumnID(1))
        var delta = ListDelta(count: 4)
        delta.compose(with: ListDelta(replacing: 4, with: 4))
        commit.lists[list] = delta
        if start.contains(key) {
          written[key, default: ColumnSet()].formUnion(columns)
          lists[list] = delta
        }
      }
      for _ in 0..<random.below(4) {
        present.insert(nextKey)
        commit.inserted.append(RowKey(nextKey))
        nextKey += 1
      }
      merged.merge(commit)
      #expect(merged.inserted.map(\.rawValue) == present.subtracting(start).sorted())
      #expect(merged.deleted.map(\.rawValue) == start.subtracting(present).sorted())
      let expected = written.sorted { $0.key < $1.key }.map { ModifiedRow(key: RowKey($0.key), columns: $0.value) }
      #expect(merged.modified == expected)
      #expect(merged.lists == lists)
    }
  }
}
