import Testing

@Suite struct AppliedChangeTests {
  @Test func deletesInsertsAndReadsAnew() throws {
    let rows = try applied(
      ["a", "b", "c", "d"], deletions: [1], insertions: [0, 4], modifications: [2], new: { "new \($0)" })
    #expect(rows == ["new 0", "a", "new 2", "d", "new 4"])
  }

  @Test func nothingIsLeftOfNothing() throws {
    #expect(try applied([Int](), deletions: [], insertions: [], modifications: [], new: { $0 }) == [])
    #expect(try applied([1, 2], deletions: [0, 1], insertions: [], modifications: [], new: { $0 }) == [])
  }
}
