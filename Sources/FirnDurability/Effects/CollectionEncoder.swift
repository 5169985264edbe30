internal import FirnEngine

/// Writes one list, set or map: all of it, or what happened to it.
struct CollectionEncoder {
  /// The elements, of a map its values.
  private let elements: UnsafeRawPointer?
  /// The keys of a map.
  private let keys: UnsafeRawPointer?
  private let shape: ListShape
  private let type: ColumnType

  init(_ root: UnsafeRawPointer?, _ column: ColumnLayout, _ shape: ListShape) {
    elements = column.elements(root)
    keys = column.storage == .map ? MapTree.keys(root) : nil
    self.shape = shape
    type = column.type
  }

  /// - Parameter delta: What happened to the collection, as runs; nil to write it whole.
  func encode(_ delta: ListDelta?, into writer: inout ByteWriter) {
    let count = ListTree.count(elements)
    guard let delta, delta.newCount == count else {
      writer.append(UInt8(0))
      writer.appendVarint(count)
      encodeKeys(0, count, into: &writer)
      encodeCells(ranges: { $0(0, count) }, into: &writer)
      return
    }
    writer.append(UInt8(1))
    writer.appendVarint(delta.runCount)
    delta.forEachRun { kind, count, _, _ in
      writer.appendVarint(UInt64(truncatingIfNeeded: count) &<< 2 | UInt64(kind.rawValue))
    }
    delta.forEachRun { kind, count, _, new in
      if kind == .insert { encodeKeys(new, count, into: &writer) }
    }
    encodeCells(
      ranges: { body in
        delta.forEachRun { kind, count, _, new in
          if kind == .touch || kind == .insert { body(new, count) }
        }
      }, into: &writer)
  }

  private func encodeKeys(_ start: Int, _ count: Int, into writer: inout ByteWriter) {
    if keys == nil { return }
    Self.forEachElement(of: keys, MapTree.keyShape, start, count) { chunk, index in
      let word = chunk.elements.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      Blob(word: word).withBytes { writer.appendCounted($0) }
    }
  }

  /// - Parameter ranges: Calls its argument with start and length of each stretch of elements to write.
  @inline(__always)
  private func encodeCells(ranges: ((Int, Int) -> Void) -> Void, into writer: inout ByteWriter) {
    if shape.isNullable, type != .link {
      var bits = BitWriter()
      ranges { start, count in
        Self.forEachElement(of: elements, shape, start, count) { chunk, index in
          bits.append(chunk.isNull(index), to: &writer)
        }
      }
      bits.finish(&writer)
    }
    var bits = BitWriter()
    ranges { start, count in
      Self.forEachElement(of: elements, shape, start, count) { chunk, index in
        if !chunk.isNull(index) {
          encode(chunk.elements + index &* shape.width, &bits, &writer)
        } else if type == .link {
          writer.append(UInt8(0))
        }
      }
    }
    bits.finish(&writer)
  }

  @inline(__always)
  private static func forEachElement(
    of root: UnsafeRawPointer?, _ shape: ListShape, _ start: Int, _ count: Int, _ body: (ListChunk, Int) -> Void
  ) {
    if count == 0 { return }
    var cursor = ListCursor(root, shape, from: start)
    var rest = count
    while rest > 0, let chunk = cursor.nextChunk() {
      var index = 0
      let end = min(rest, chunk.count)
      while index < end {
        body(chunk, index)
        index &+= 1
      }
      rest &-= end
    }
  }

  @inline(__always)
  private func encode(_ element: UnsafeRawPointer, _ bits: inout BitWriter, _ writer: inout ByteWriter) {
    switch type {
    case .bool: bits.append(element.load(as: UInt8.self) != 0, to: &writer)
    case .int: writer.appendSignedVarint(element.loadUnaligned(as: Int64.self))
    case .link: writer.appendVarint(element.loadUnaligned(as: UInt64.self) &+ 1)
    case .string, .data, .mixed:
      Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { writer.appendCounted($0) }
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      writer.append(UnsafeRawBufferPointer(start: element, count: shape.width))
    }
  }
}
