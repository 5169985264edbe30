// Where mixed values lead to: backlinks of objects, and the nested collections that mixed values own.
extension Writer {
  /// Notes the backlink of a value that was put into a mixed column. The row must exist.
  func addReference(_ bytes: UnsafeRawBufferPointer, _ column: ColumnLayout, _ source: RowKey) {
    guard let reference = MixedBytes.reference(bytes) else { return }
    guard let table = layout.table(of: reference) else { fatalError("A mixed value leads to an unknown table.") }
    addPendingLink(mixedLinks(column, to: table), target: reference.key.rawValue, source: source.rawValue, delta: 1)
  }

  /// Takes the backlink of a value that is going, and the collection that it holds.
  func dropReference(_ bytes: UnsafeRawBufferPointer, _ column: ColumnLayout, _ source: RowKey) {
    guard let reference = MixedBytes.reference(bytes), let table = layout.table(of: reference) else { return }
    // A target that is gone took its backlinks with it.
    if Directory.locate(tableRoot(table.index), reference.key.rawValue) == nil { return }
    addPendingLink(mixedLinks(column, to: table), target: reference.key.rawValue, source: source.rawValue, delta: -1)
    if layout.isNested(table), !keepsReleasedCollections { releasedCollections.append(reference) }
  }

  /// Takes the backlink of a list element.
  func dropElementReference(_ element: UnsafeRawPointer, _ column: ColumnLayout, _ source: RowKey) {
    let blob = Blob(word: element.loadUnaligned(as: UInt64.self))
    if blob.word != 0 { blob.withBytes { dropReference($0, column, source) } }
  }

  /// Takes the backlinks of all values in a mixed column of a row that is going.
  func dropReferences(_ key: RowKey, _ cluster: Block, _ slot: Int, _ column: ColumnLayout, _ shape: ListShape) {
    let leaf = Cluster.leaf(cluster, at: Int(column.offset))
    if column.storage.isCollection {
      let root = FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self)
      ListTree.forEach(column.elements(root), shape) { dropElementReference($0, column, key) }
    } else if !Cluster.bit(cluster, Int(column.nullOffset), slot) {
      dropReference(BytesLeaf.bytes(leaf, slot), column, key)
    }
  }

  /// Deletes collections that were released, and those inside of them.
  func deleteReleasedCollections() {
    // Deleting releases more; whoever began goes on with those.
    if releasedCollections.isEmpty || isDeletingReleased { return }
    isDeletingReleased = true
    while !releasedCollections.isEmpty {
      let released = releasedCollections
      releasedCollections.removeAll()
      for (target, table) in [(MixedReference.Target.lists, layout.nestedLists), (.maps, layout.nestedMaps)] {
        if let table { delete(released.filter { $0.target == target }.map(\.key), from: table) }
      }
    }
    isDeletingReleased = false
    // Accessors of the collections find out.
    didMoveClusters()
  }

  /// Notes for queries inside the transaction that the rows were written which own a nested collection, at any level.
  func touchOwners(of key: RowKey, in table: TableID) {
    var (table, key) = (table, key)
    while layout.isNested(table), let owner = settledContents.owner(of: key, in: table) {
      tables[owner.table.index].touchLog?.append(owner.key)
      (table, key) = (owner.table, owner.key)
    }
  }

  /// Makes values null that lead to a row which is going; elements of sets go.
  func nullifyMixed(
    _ target: RowKey, of targetTable: TableID, in source: RowKey, _ column: ColumnID, _ table: TableID
  ) {
    let layout = self.layout.tables[table.index]
    let description = layout.columns[column.index]
    let leads = { (bytes: UnsafeRawBufferPointer) -> Bool in
      guard let reference = MixedBytes.reference(bytes), reference.key == target else { return false }
      return self.layout.table(of: reference) == targetTable
    }
    if description.storage.isCollection {
      var places: [Int] = []
      var index = 0
      ListTree.forEach(
        contents.elementsRoot(description, of: source, in: table), as: UInt64.self, layout.listShape(column.index)
      ) { word in
        if word != 0, Blob(word: word).withBytes(leads) { places.append(index) }
        index += 1
      }
      // From the end: a set loses its element.
      for index in places.reversed() {
        changeList(column, source, table) { root, shape in
          guard let root else { return nil }
          return switch description.storage {
          case .set: ListTree.remove(root, at: index, shape, store)
          case .map: MapTree.replace(root, at: index, nil, shape, store)
          default: ListTree.set(root, index, nil, shape, store)
          }
        }
        record(column, source, table) {
          if description.storage == .set { $0.remove(at: index) } else { $0.touch(at: index) }
        }
      }
      return
    }
    let cell = ownCell(source, table)
    Cluster.setBit(cell.cluster, Int(description.nullOffset), cell.slot, true)
    markDirty(table.index, cell.cluster, cell.slot, column.index)
  }

  /// The buffer for the backlinks of values that lead to a table.
  private func mixedLinks(_ column: ColumnLayout, to table: TableID) -> Int {
    let place = Int(column.backlink) * layout.visibleCount + table.index
    if lastMixedLinks.place != place { lastMixedLinks = (place, findMixedLinks(Int(column.backlink), table, place)) }
    return lastMixedLinks.index
  }

  @inline(never)
  private func findMixedLinks(_ mixed: Int, _ table: TableID, _ place: Int) -> Int {
    if let index = mixedLinks[place] { return index }
    let origin = layout.mixedColumns[mixed]
    pendingLinks.append(
      PendingLinks(
        origin: (origin.table.index, origin.column.index), target: table.index,
        backlink: layout.tables[table.index].firstMixedBacklink + mixed))
    mixedLinks[place] = pendingLinks.count - 1
    return pendingLinks.count - 1
  }
}
