package import FirnEngine

/// How a sequence of values is written: its first byte.
enum SequenceForm: UInt8 {
  case packed = 0
  case ascending = 1
  case fixed = 2
  case doubles = 3
  case bits = 4
  case bytes = 5
  case dictionary = 6
  case multiples = 7
  case lists = 8
  case nullable = 9
  case maps = 10
}

/// What the values of a column look like in a ``ColumnChunk``, so that a sequence of another shape is refused.
package struct SequenceShape: Hashable, Sendable {
  package enum Element: Hashable, Sendable {
    case bits, ints, bytes
    case fixed(width: Int)
  }

  package var element: Element
  /// Which collection of elements there is per row; nil for the values themselves.
  package var collection: CollectionKind?

  package init(_ element: Element, collection: CollectionKind? = nil) {
    self.element = element
    self.collection = collection
  }
}
