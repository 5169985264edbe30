extension RowGroup {
  /// The lists of a column: how many elements each row has, and all elements.
  func lists(_ column: Int, at offset: Int) -> ColumnValues {
    let shape = layout.listShape(column)
    let roots = listRoots(at: offset)
    let counts = roots.map { UInt32(truncatingIfNeeded: ListTree.count($0)) }
    var total = 0
    for count in counts { total += Int(count) }
    let nulls = shape.isNullable ? nullElements(roots, total, shape) : nil
    let values: ColumnValues
    switch layout.columns[column].type {
    case .bool: values = .bits(boolElements(roots, total, shape))
    case .int: values = .ints(intElements(roots, total, shape, added: 0))
    case .link: values = .ints(intElements(roots, total, shape, added: 1))
    case .string, .data, .mixed: values = .bytes(bytesElements(roots, total, shape))
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      values = .fixed(width: shape.width, fixedElements(roots, total, shape))
    }
    return .lists(counts: counts, elements: ColumnChunk(rowCount: total, nulls: nulls, values: values))
  }

  /// The root of each row's list, nil for an empty one.
  func listRoots(at offset: Int) -> [UnsafeRawPointer?] {
    var roots: [UnsafeRawPointer?] = []
    roots.reserveCapacity(list.rowCount)
    for cluster in list.clusters {
      let leaf = Cluster.leaf(cluster, at: offset)
      ClusterList.forEachSlot(cluster) { slot in
        roots.append(FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self))
      }
    }
    return roots
  }

  private func nullElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> [UInt64]? {
    var words = [UInt64](repeating: 0, count: (total + 63) / 64)
    var start = 0
    for root in roots {
      var cursor = ListCursor(root, shape)
      while let chunk = cursor.nextChunk() {
        var nulls = chunk.nulls
        while nulls != 0 {
          let element = start + nulls.trailingZeroBitCount
          words[element >> 6] |= 1 << UInt64(element & 63)
          nulls &= nulls &- 1
        }
        start += chunk.count
      }
    }
    return words.nilIfZero
  }

  private func boolElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (total + 63) / 64)
    var element = 0
    for root in roots {
      ListTree.forEach(root, as: UInt8.self, shape) { value in
        if value != 0 { words[element >> 6] |= 1 << UInt64(element & 63) }
        element += 1
      }
    }
    return words
  }

  private func intElements(
    _ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape, added: Int64
  ) -> [Int64] {
    var values: [Int64] = []
    values.reserveCapacity(total)
    for root in roots {
      ListTree.forEach(root, as: Int64.self, shape) { values.append($0 &+ added) }
    }
    return values
  }

  private func fixedElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> [UInt8] {
    Array(unsafeUninitializedCapacity: total * shape.width) { buffer, count in
      count = total * shape.width
      guard var next = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      for root in roots {
        var cursor = ListCursor(root, shape)
        while let chunk = cursor.nextChunk() {
          next.copyMemory(from: chunk.elements, byteCount: chunk.count &* shape.width)
          next += chunk.count &* shape.width
        }
      }
    }
  }

  private func bytesElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> ByteStrings {
    var values = ByteStrings()
    values.lengths.reserveCapacity(total)
    for root in roots {
      ListTree.forEach(root, as: UInt64.self, shape) { word in
        // The word of a null element is no value at all.
        let blob = Blob(word: word)
        values.lengths.append(UInt32(truncatingIfNeeded: blob.count))
        if blob.count > 0 { blob.withBytes { values.bytes.append(contentsOf: $0) } }
      }
    }
    return values
  }
}
