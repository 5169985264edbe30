/// A held version of the graph. Nothing that it shows is freed while a reference to it exists.
///
/// The content is an address, which holds nothing. So it can only be had inside of a scope that holds the version: see
/// ``withContents(_:)``. The compiler ends the life of an object behind the last use that it sees, which may be before
/// that of an address that came from it: that of a temporary, like the one in `graph.holdHead().x`, always, that of a
/// variable where it finds nothing in between that could notice.
package final class Version: Sendable {
  package let graph: Graph
  package let number: UInt64
  /// The address of what it shows: for words that are compared, or stand beside a reference to the version and go
  /// before it.
  package nonisolated(unsafe) let root: UnsafeRawPointer
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

  /// Calls `body` with the content, and holds the version until it returns.
  ///
  /// The result of `body` may hold the content, or addresses in it, only beside a reference to the version.
  @inline(__always)
  package func withContents<Result: ~Copyable, Failure: Error>(
    _ body: (GraphContents) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(GraphContents(root: root, layout: graph.layout))
  }

  /// The same for two versions.
  @inline(__always)
  package static func withContents<Result: ~Copyable, Failure: Error>(
    of old: Version, _ new: Version, _ body: (_ old: GraphContents, _ new: GraphContents) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime((old, new)) {} }
    return try body(
      GraphContents(root: old.root, layout: old.graph.layout), GraphContents(root: new.root, layout: new.graph.layout))
  }
}
