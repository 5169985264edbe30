internal import FirnEngine

/// Collects the properties that a key path reads from a tracing object.
///
/// A tracing object is an accessor of a realm without content that notes what is read from it. It is how the string form
/// of a key path is found: the platform has none. Its key is its number among the objects of the trace; the key path is
/// applied to number 0.
final class PathTrace {
  /// A property that was read.
  struct Read {
    /// The number of the object.
    let object: Int
    let table: Int
    let column: Int
    /// The element that was asked for, if a collection was read.
    var element: TracedElement?
    let isCollection: Bool
  }

  private var reads: [Read] = []
  private var start = 0
  /// The reads that led to the objects behind the first one.
  private var origins: [Int] = []

  /// Notes that a property of an object was read.
  func note(_ column: Int, of object: ObjectBase, isCollection: Bool = false) {
    let table = object._table.unsafelyUnwrapped.layout.index
    reads.append(Read(object: Int(object._key), table: table, column: column, isCollection: isCollection))
  }

  /// Notes that an element of the collection was asked for that was read last.
  func note(_ element: TracedElement) {
    if !reads.isEmpty { reads[reads.count - 1].element = element }
  }

  /// The number of a new object, to which the last read leads.
  func addObject() -> Int {
    origins.append(reads.count - 1)
    return origins.count
  }

  /// Forgets what was read up to now, but not which objects that led to.
  func restart() { start = reads.count }

  /// The reads in their order, each with those that led to its object.
  var paths: [[Read]] { reads[start...].map { path(to: $0) } }

  private func path(to read: Read) -> [Read] {
    var path = [read]
    while path[0].object > 0, origins[path[0].object - 1] >= 0 {
      path.insert(reads[origins[path[0].object - 1]], at: 0)
    }
    return path
  }
}

/// An element of a collection, as a key path asks for it.
enum TracedElement: Hashable, Sendable {
  case first
  case last
  case position(Int)
  /// The value of a key in a map.
  case key(String)
}
