extension OrderedValue {
  /// A constant in the form in which a column of the type stores it; its bytes go to `memory`.
  init(_ value: Value, _ type: ColumnType, _ memory: QueryMemory) {
    switch value {
    case .null: self.init(.null)
    case _ where type == .mixed: self = MixedBytes.withBytes(of: value) { Self(bytes: memory.copy(Array($0))) }
    case .bool(let value): self.init(number: value ? 1 : 0)
    case .int(let value): self.init(value)
    case .float(let value): self.init(Double(value))
    case .double(let value), .date(let value): self.init(value)
    case .link(let key): self.init(Int64(key.rawValue) + 1)
    case .string, .data, .objectID, .uuid, .decimal128: self.init(bytes: memory.copy(value.storedBytes ?? []))
    case .object, .list, .map: fatalError("References lie in mixed columns only.")
    }
  }
}

/// Reading ordered indexes. Inside of a transaction an index has to be settled first.
extension GraphContents {
  /// The row at a position of an index; nil outside of its rows.
  ///
  /// - Complexity: O(log n).
  package func key(at position: Int, of index: OrderedIndex) -> RowKey? {
    guard let root = root(of: index), position >= 0, position < OrderedTree.count(root) else { return nil }
    return RowKey(OrderedTree.select(root, position).row)
  }

  /// The rows at some positions of an index, which must exist.
  package func keys(in positions: Range<Int>, of index: OrderedIndex) -> [UInt64] {
    Array(unsafeUninitializedCapacity: positions.count) { buffer, count in
      OrderedTree.forEach(root(of: index), in: positions) { entry in
        buffer[count] = entry.row
        count &+= 1
        return true
      }
    }
  }

  /// Where a row is in an index; nil when it does not exist.
  ///
  /// - Complexity: O(log n).
  package func position(of key: RowKey, in index: OrderedIndex) -> Int? {
    guard let location = locate(key, in: index.table) else { return nil }
    return index.withValues(of: location, self) { values in
      OrderedProbe(values, index, self).rank(root(of: index), .row(key.rawValue))
    }
  }

  /// Where the rows are that have some values of the first paths of an index, in the types of the columns.
  ///
  /// - Complexity: O(log n).
  package func positions(of values: [Value], in index: OrderedIndex) -> Range<Int> {
    let memory = QueryMemory()
    return withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: values.count) { wanted in
      for place in values.indices {
        wanted.initializeElement(
          at: place, to: OrderedValue(values[place], index.resolved[place].column.type, memory))
      }
      let probe = OrderedProbe(wanted, index, self)
      let root = root(of: index)
      return withExtendedLifetime(memory) { probe.rank(root, .before)..<probe.rank(root, .after) }
    }
  }
}
