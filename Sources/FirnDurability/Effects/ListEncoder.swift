internal import FirnEngine

/// Writes one list: all of it, or what happened to it.
struct ListEncoder {
  let root: UnsafeRawPointer?
  let shape: ListShape
  let type: ColumnType

  /// - Parameter delta: What happened to the list, as runs; nil to write it whole.
  func encode(_ delta: ListDelta?, into writer: inout ByteWriter) {
    let count = ListTree.count(root)
    guard let delta, delta.newCount == count else {
      writer.append(UInt8(0))
      writer.appendVarint(count)
      encodeCells(ranges: { $0(0, count) }, into: &writer)
      return
    }
    writer.append(UInt8(1))
    writer.appendVarint(delta.runCount)
    delta.forEachRun { kind, count, _, _ in
      writer.appendVarint(UInt64(truncatingIfNeeded: count) &<< 2 | UInt64(kind.rawValue))
    }
    encodeCells(
      ranges: { body in
        delta.forEachRun { kind, count, _, new in
          if kind == .touch || kind == .insert { body(new, count) }
        }
      }, into: &writer)
  }

  /// - Parameter ranges: Calls its argument with start and length of each stretch of elements to write.
  @inline(__always)
  private func encodeCells(ranges: ((Int, Int) -> Void) -> Void, into writer: inout ByteWriter) {
    if shape.isNullable {
      var bits = BitWriter()
      ranges { start, count in
        forEachElement(start, count) { chunk, index in bits.append(chunk.isNull(index), to: &writer) }
      }
      bits.finish(&writer)
    }
    var bits = BitWriter()
    ranges { start, count in
      forEachElement(start, count) { chunk, index in
        if !chunk.isNull(index) { encode(chunk.elements + index &* shape.width, &bits, &writer) }
      }
    }
    bits.finish(&writer)
  }

  @inline(__always)
  private func forEachElement(_ start: Int, _ count: Int, _ body: (ListChunk, Int) -> Void) {
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
