/// Collects the columns that a key path reads from a tracing object.
///
/// A tracing object is an accessor of a realm without content that notes what is read from it. It is how the string form
/// of a key path is found: the platform has none.
final class PathTrace {
  private(set) var columns: [Int] = []

  /// The elements of collections that were asked for, by the positions of these in `columns`.
  private(set) var elements: [Int: TracedElement] = [:]

  /// Whether a collection was read.
  private(set) var readsCollection = false

  func note(_ column: Int, isCollection: Bool = false) {
    columns.append(column)
    if isCollection { readsCollection = true }
  }

  func note(_ element: TracedElement) { elements[columns.count - 1] = element }

  /// Forgets what was read up to now.
  func restart() {
    columns = []
    elements = [:]
    readsCollection = false
  }
}

/// An element of a collection, as a key path asks for it.
enum TracedElement: Sendable {
  case first
  case last
  case position(Int)
  /// The value of a key in a map.
  case key(String)
}
