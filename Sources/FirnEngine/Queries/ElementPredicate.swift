/// A condition on the elements of collections of values, ready to be evaluated. Immutable; any thread may use it.
package final class ElementPredicate: Sendable {
  private let check: Check
  private let type: ColumnType

  /// What a check points to lives as long as this, and never changes.
  private struct Check: @unchecked Sendable {
    let check: ValueCheck
    let memory: QueryMemory
  }

  /// - Parameters:
  ///   - predicate: Tests of `.element` only; conditions on columns hold for no value.
  ///   - type: What the elements are.
  package init(_ predicate: Predicate, _ type: ColumnType) {
    self.type = type
    var compiler = ValueCheckCompiler(type, QueryMemory())
    check = Check(check: predicate.accept(&compiler), memory: compiler.memory)
  }

  /// The positions of the elements of a list, a set or a map's values that match, ascending; the first `limit` of them.
  ///
  /// - Complexity: O(n).
  package func positions(
    in elements: UnsafeRawPointer?, _ shape: ListShape, _ contents: GraphContents, limit: Int = .max
  ) -> [UInt64] {
    var positions: [UInt64] = []
    var cursor = ListCursor(elements, shape)
    while positions.count < limit, let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count where positions.count < limit {
        let element = chunk.isNull(index) ? nil : chunk.elements + index &* shape.width
        if check.check.holds(element, type, contents) { positions.append(UInt64(chunk.start + index)) }
      }
    }
    return positions
  }
}
