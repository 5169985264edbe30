/// A held version of the graph. Nothing that it shows is freed while a reference to it exists.
package final class Version: Sendable {
  package let graph: Graph
  package let number: UInt64
  private nonisolated(unsafe) let root: UnsafeRawPointer
  /// Cleared by the only reference there is, when it has let the version go by itself.
  nonisolated(unsafe) var isPinned = true

  init(graph: Graph, number: UInt64, root: UnsafeRawPointer) {
    self.graph = graph
    self.number = number
    self.root = root
  }

  /// What a caller holds in another way, as a version: nothing keeps it from being freed.
  package init(borrowing contents: GraphContents, of graph: Graph) {
    self.graph = graph
    number = contents.root.blockBirth
    root = contents.root
    isPinned = false
  }

  /// Whether somebody else holds what it shows, and lets go of it without asking.
  package var isBorrowed: Bool { !isPinned }

  deinit { if isPinned { graph.unpin(number) } }

  /// The content. Valid as long as this object lives.
  package var contents: GraphContents { GraphContents(root: root, layout: graph.layout) }
}
