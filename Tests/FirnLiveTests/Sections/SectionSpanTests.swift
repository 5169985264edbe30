import FirnEngine
import FirnReactive
import Testing

/// What happened to sections in several steps.
@Suite struct SectionSpanTests {
  @Test func whatCameAndWentLeavesNoTrace() {
    let tree = SectionTree([.int(1), .int(2)])
    func span(_ deletions: [Int], _ insertions: [KeyedPosition]) -> SectionsSpan {
      SectionsSpan(tree.move(deletions: deletions, insertions: insertions, modifications: []), counting: { _ in true })
    }
    var changes = span([], [KeyedPosition(1, .int(1))])
    #expect(!changes.isEmpty)
    changes.merge(span([1], []))
    #expect(changes.isEmpty)
    changes.merge(span([], [KeyedPosition(0, .int(0))]))
    #expect(changes.paths.insertedSections == [0])
    changes.merge(span([0], []))
    #expect(changes.paths.insertedSections == [] && changes.paths.deletedSections == [])
    #expect(changes.isEmpty)
  }
}
