/// Keeps the changes and the notes of commits for somebody who reads them with ``Graph/changes(from:to:)``.
///
/// Ends with its last reference.
package final class ChangeFollower: Sendable {
  private let graph: Graph
  private let id: Int

  init(graph: Graph, id: Int) {
    self.graph = graph
    self.id = id
  }

  deinit { graph.moveFollower(id, to: nil) }

  /// The net effect of all commits after `old` up to `new`, and which of them have a note; with which everything up to
  /// `new` has been seen.
  package func takeChanges(from old: Version, to new: Version) -> (changes: ChangeSet, noted: [NotedCommit]) {
    graph.changes(from: old, to: new, moving: id)
  }
}

/// Keeps only the notes of commits, for somebody who has no use for their changes.
///
/// Ends with its last reference.
package final class NoteFollower: Sendable {
  private let graph: Graph
  private let id: Int

  init(graph: Graph, id: Int) {
    self.graph = graph
    self.id = id
  }

  deinit { graph.moveFollower(id, to: nil) }

  /// Which of the commits after `old` up to `new` have a note; everything up to `new` has been seen then.
  package func takeNotes(after old: UInt64, through new: UInt64) -> [NotedCommit] {
    graph.noted(after: old, through: new, moving: id)
  }
}
