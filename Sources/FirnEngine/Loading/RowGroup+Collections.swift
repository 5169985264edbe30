extension RowGroup {
  /// The lists or sets of a column: how many elements each row has, and all elements.
  func lists(_ column: Int, at offset: Int) -> ColumnValues {
    let roots = collectionRoots(at: offset)
    return .lists(counts: counts(roots), elements: elements(roots, column))
  }

  /// The maps of a column: how many entries each row has, all keys and all values.
  func maps(_ column: Int, at offset: Int) -> ColumnValues {
    let roots = collectionRoots(at: offset)
    let keys = roots.map { MapTree.keys($0) }
    let counts = counts(keys)
    return .maps(
      counts: counts, keys: bytesElements(keys, Self.total(counts), MapTree.keyShape),
      values: elements(roots.map { MapTree.values($0) }, column))
  }

  private func counts(_ roots: [UnsafeRawPointer?]) -> [UInt32] {
    roots.map { UInt32(truncatingIfNeeded: ListTree.count($0)) }
  }

  private static func total(_ counts: [UInt32]) -> Int { counts.reduce(0) { $0 + Int($1) } }

  /// The elements of lists and sets, or the values of maps.
  private func elements(_ roots: [UnsafeRawPointer?], _ column: Int) -> ColumnChunk {
    let shape = layout.listShape(column)
    let total = Self.total(counts(roots))
    let type = layout.columns[column].type
    // Links that are null are zeros among keys plus one.
    let nulls = shape.isNullable && type != .link ? nullElements(roots, total, shape) : nil
    let values: ColumnValues
    switch type {
    case .bool: values = .bits(boolElements(roots, total, shape))
    case .int: values = .ints(intElements(roots, total, shape))
    case .link: values = .ints(linkElements(roots, total, shape))
    case .string, .data, .mixed: values = .bytes(bytesElements(roots, total, shape))
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      values = .fixed(width: shape.width, fixedElements(roots, total, shape))
    }
    return ColumnChunk(rowCount: total, nulls: nulls, values: values)
  }

  /// The root of each row's collection, nil for an empty one.
  private func collectionRoots(at offset: Int) -> [UnsafeRawPointer?] {
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

  private func intElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> [Int64] {
    var values: [Int64] = []
    values.reserveCapacity(total)
    for root in roots {
      ListTree.forEach(root, as: Int64.self, shape) { values.append($0) }
    }
    return values
  }

  /// Keys plus one, 0 for null.
  private func linkElements(_ roots: [UnsafeRawPointer?], _ total: Int, _ shape: ListShape) -> [Int64] {
    var values: [Int64] = []
    values.reserveCapacity(total)
    for root in roots {
      var cursor = ListCursor(root, shape)
      while let chunk = cursor.nextChunk() {
        for index in 0..<chunk.count {
          let key = chunk.elements.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
          values.append(chunk.isNull(index) ? 0 : key &+ 1)
        }
      }
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
