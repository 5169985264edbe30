import FirnEngine
import TestSupport
import Testing

@testable import FirnReactive

/// Elements that come and go, mostly at one place, so that labels become tight there.
@Suite struct ElementSequenceTests {
  private func check(_ sequence: ElementSequence, _ rows: [UInt64], findsRows: Bool) {
    let labels = sequence.allLabels
    #expect(sequence.count == rows.count && labels.count == rows.count)
    #expect(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }, "\(labels)")
    for (position, label) in labels.enumerated() {
      #expect(sequence.row(label) == rows[position] && sequence.row(at: position) == rows[position])
      #expect(sequence.position(of: label) == position)
    }
    if !findsRows { return }
    var distinct: [UInt64] = []
    sequence.forEachRow { distinct.append($0) }
    #expect(distinct.sorted() == Set(rows).sorted())
    for row in distinct {
      var found: [UInt64] = []
      sequence.forEachLabel(of: row) { found.append($0) }
      #expect(found.sorted() == labels.indices.filter { rows[$0] == row }.map { labels[$0] })
    }
  }

  @Test(arguments: [false, true]) func stepsAgreeWithAnArray(findsRows: Bool) {
    var random = SeededRandom.printed("elements \(findsRows)")
    var relabelled = 0
    for _ in 0..<20 {
      var rows = (0..<random.below(60)).map { _ in UInt64(random.below(20)) }
      let sequence = ElementSequence(rows, findsRows: findsRows)
      func remove(at position: Int) {
        let element = sequence.remove(at: position)
        #expect(element.row == rows.remove(at: position))
        // Until the step ends.
        #expect(sequence.row(element.label) == element.row)
      }
      for _ in 0..<40 {
        let place = random.below(rows.count + 1)
        for _ in 0..<random.below(60) {
          let position = min(random.chance(95) ? place : random.below(rows.count + 1), rows.count)
          if position < rows.count, random.chance(15) {
            remove(at: position)
            continue
          }
          let row = UInt64(random.below(20))
          rows.insert(row, at: position)
          if sequence.insert(row, at: position) == nil { sequence.rebuild(rows) }
        }
        // An element with little room may be alone afterwards.
        if random.chance(40) { while rows.count > 1 { remove(at: place < rows.count - 1 ? rows.count - 1 : 0) } }
        sequence.endStep { elements in
          relabelled += elements.count
          return { #expect($0.count == elements.count && zip($0, $0.dropFirst()).allSatisfy { $0 < $1 }) }
        }
        check(sequence, rows, findsRows: findsRows)
      }
    }
    #expect(relabelled > 0)
  }
}
