// Changes of sets. Elements have the form in which lists store them, see `insert(elements:nulls:count:at:of:of:in:)`.
extension Writer {
  /// Inserts an element unless the set has an equal one; nil is null. The set takes over the blob of a string or data
  /// element, and gives it up at once when it is not needed.
  ///
  /// - Returns: Whether the element was absent. Otherwise nothing has changed.
  /// - Complexity: O(log n).
  @discardableResult
  package func insert(
    element: UnsafeRawPointer?, intoSet set: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let (index, isPresent) = position(of: element, set, key, table)
    if isPresent {
      if let element { giveUp(element, set, table) }
      return false
    }
    changeList(set, key, table) { root, shape in
      if let element { addElementLinks(element, nil, 1, set, key, table) }
      return ListTree.insert(root, at: index, element, shape, store)
    }
    record(set, key, table) { $0.insert(at: index) }
    return true
  }

  /// Inserts those of the elements that the set does not have; they come in any order and may repeat.
  ///
  /// - Parameter nulls: A flag for each element; the bytes of null ones are ignored.
  /// - Complexity: O(k log k) for an empty set, else O(k log n).
  package func insert(
    elements: UnsafeRawPointer, nulls: UnsafePointer<Bool>? = nil, count: Int, intoSet set: ColumnID, of key: RowKey,
    in table: TableID
  ) {
    if count == 0 { return }
    let layout = self.layout.tables[table.index]
    let type = layout.columns[set.index].type
    let width = layout.listShape(set.index).width
    if listCount(set, of: key, in: table) > 0 {
      for index in 0..<count {
        let element = nulls?[index] == true ? nil : elements + index * width
        insert(element: element, intoSet: set, of: key, in: table)
      }
      return
    }
    let order = Self.ascending(count) { left, right in
      let leftIsNull = nulls?[left] == true
      let rightIsNull = nulls?[right] == true
      if leftIsNull || rightIsNull { return (leftIsNull ? 0 : 1) - (rightIsNull ? 0 : 1) }
      return ElementOrder.order(elements + left * width, elements + right * width, type)
    } dropping: { index in
      if nulls?[index] != true { giveUp(elements + index * width, set, table) }
    }
    withUnsafeTemporaryAllocation(byteCount: order.count * width, alignment: 16) { sorted in
      withUnsafeTemporaryAllocation(of: Bool.self, capacity: order.count) { flags in
        for (place, index) in order.enumerated() {
          (sorted.baseAddress.unsafelyUnwrapped + place * width).copyMemory(
            from: elements + index * width, byteCount: width)
          flags[place] = nulls?[index] == true
        }
        appendSorted(
          sorted.baseAddress.unsafelyUnwrapped, nulls == nil ? nil : UnsafePointer(flags.baseAddress), order.count, set,
          key, table)
      }
    }
  }

  /// Takes an element out; `element` is only compared.
  ///
  /// - Returns: Whether the set had it.
  /// - Complexity: O(log n).
  @discardableResult
  package func remove(
    element: UnsafeRawPointer?, fromSet set: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let (index, isPresent) = position(of: element, set, key, table)
    if isPresent { remove(at: index, of: set, of: key, in: table) }
    return isPresent
  }

  @discardableResult
  package func insert(_ value: Value, intoSet set: ColumnID, of key: RowKey, in table: TableID) -> Bool {
    let type = layout.tables[table.index].columns[set.index].type
    let (index, isPresent) = value.withStoredElement(of: type) { position(of: $0, set, key, table) }
    if isPresent { return false }
    changeList(set, key, table) { root, shape in
      withElement(value, set, key, table) { ListTree.insert(root, at: index, $0, shape, store) }
    }
    record(set, key, table) { $0.insert(at: index) }
    return true
  }

  @discardableResult
  package func remove(_ value: Value, fromSet set: ColumnID, of key: RowKey, in table: TableID) -> Bool {
    value.withStoredElement(of: layout.tables[table.index].columns[set.index].type) {
      remove(element: $0, fromSet: set, of: key, in: table)
    }
  }

  func removeFromSet(_ target: RowKey, _ set: ColumnID, of key: RowKey, in table: TableID) {
    let (index, isPresent) = Value.link(target).withStoredElement { position(of: $0, set, key, table) }
    if !isPresent { return }
    // The backlink went with the target.
    changeList(set, key, table) { root, shape in
      ListTree.remove(root.unsafelyUnwrapped, at: index, shape, store)
    }
    record(set, key, table) { $0.remove(at: index) }
  }

  private func position(
    of element: UnsafeRawPointer?, _ set: ColumnID, _ key: RowKey, _ table: TableID
  ) -> (index: Int, isPresent: Bool) {
    let layout = self.layout.tables[table.index]
    let column = layout.columns[set.index]
    return SetTree.position(
      of: element, in: contents.listRoot(column, of: key, in: table), type: column.type,
      shape: layout.listShape(set.index))
  }

  private func giveUp(_ element: UnsafeRawPointer, _ set: ColumnID, _ table: TableID) {
    guard layout.tables[table.index].listShape(set.index).ownsBlobs else { return }
    Blob(word: element.loadUnaligned(as: UInt64.self)).retire(store)
  }

  private func appendSorted(
    _ elements: UnsafeRawPointer, _ nulls: UnsafePointer<Bool>?, _ count: Int, _ set: ColumnID, _ key: RowKey,
    _ table: TableID
  ) {
    changeList(set, key, table) { root, shape in
      addElementLinks(elements, nulls, count, set, key, table)
      return ListTree.append(root, contentsOf: elements, count: count, nulls: nulls, shape, store)
    }
    record(set, key, table) { $0.insert(at: 0, count: count) }
  }

  /// The positions 0..<count in ascending order, of equal ones the first; the others are handed to `drop`.
  private static func ascending(
    _ count: Int, by order: (Int, Int) -> Int, dropping drop: (Int) -> Void
  ) -> [Int] {
    let places = (0..<count).sorted { left, right in
      let order = order(left, right)
      return order != 0 ? order < 0 : left < right
    }
    var result: [Int] = []
    result.reserveCapacity(count)
    for place in places {
      if let last = result.last, order(last, place) == 0 {
        drop(place)
      } else {
        result.append(place)
      }
    }
    return result
  }
}

extension GraphContents {
  /// Whether the elements at some positions of a set and their neighbours ascend. For those who insert by position.
  ///
  /// - Complexity: O(positions + log n).
  package func setAscends(
    around positions: Range<Int>, _ set: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let layout = layout.tables[table.index]
    let column = layout.columns[set.index]
    let root = listRoot(column, of: key, in: table)
    let range = max(0, positions.lowerBound - 1)..<min(ListTree.count(root), positions.upperBound + 1)
    return SetTree.isAscending(root, range, type: column.type, shape: layout.listShape(set.index))
  }

  /// Whether a set has an element.
  ///
  /// - Complexity: O(log n).
  package func setContains(_ value: Value, _ set: ColumnID, of key: RowKey, in table: TableID) -> Bool {
    let layout = layout.tables[table.index]
    let column = layout.columns[set.index]
    return value.withStoredElement(of: column.type) { element in
      SetTree.position(
        of: element, in: listRoot(column, of: key, in: table), type: column.type, shape: layout.listShape(set.index)
      ).isPresent
    }
  }
}
