/// A condition on a row in code, of which planner and router know only what it reads.
///
/// The same closure is one condition, another of the same code is another one.
package final class RowClosure: Hashable, Sendable {
  /// Everything that decides about the outcome, as paths from the row on.
  package let reads: Set<[PathStep]>
  private let body: @Sendable (RowKey, GraphContents) -> Bool

  /// - Parameter body: Whether the condition holds for a row of the contents, which live until it returns. Called on any
  ///   thread, also several at once and within locks: it must not come back to the query that it is part of.
  package init(reads: Set<[PathStep]>, _ body: @escaping @Sendable (RowKey, GraphContents) -> Bool) {
    self.reads = reads
    self.body = body
  }

  var readsBacklinks: Bool {
    reads.contains { path in
      path.contains { if case .backlinks = $0 { true } else { false } }
    }
  }

  func holds(_ row: RowKey, _ contents: GraphContents) -> Bool { body(row, contents) }

  package static func == (left: RowClosure, right: RowClosure) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
