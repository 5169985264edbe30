/// Makes the primary key index of a table, visible or hidden.
struct PrimaryKeyAssembly {
  let layout: GraphLayout
  let table: TableAssembly
  let column: Int

  func build(_ store: BlockStore) throws {
    if table.rowCount == 0 { return }
    guard let root = table.root else { fatalError("A table without root gets an index.") }
    let description = table.layout.columns[column]
    let entries = UnsafeMutableBufferPointer<HashEntry>.allocate(capacity: table.rowCount)
    defer { entries.deallocate() }
    fill(entries.baseAddress.unsafelyUnwrapped, description)
    let (index, duplicate) = HashIndex.bulkLoad(UnsafeBufferPointer(entries), store: store) { first, second in
      guard let one = Directory.locate(root, first), let other = Directory.locate(root, second) else { return false }
      return StoredValue(cluster: one.cluster, slot: one.slot)
        .equals(StoredValue(cluster: other.cluster, slot: other.slot), description)
    }
    if let duplicate { throw error(duplicate) }
    TableRoot.setPrimaryKeyIndex(root, index)
  }

  private func error(_ rows: (UInt64, UInt64)) -> LoadError {
    let name = table.layout.descriptions[column].name
    let (first, second) = (min(rows.0, rows.1), max(rows.0, rows.1))
    if !table.layout.isVisible {
      return LoadError(message: "The dictionary of '\(table.layout.name)' has its value \(first + 1) twice.")
    }
    return LoadError(
      message: "Rows \(first) and \(second) of table '\(table.layout.name)' have the same primary key '\(name)'.")
  }

  private func fill(_ target: UnsafeMutablePointer<HashEntry>, _ column: ColumnLayout) {
    let seed = layout.seed
    let nullHash = NullKey().hash(seed: seed)
    var next = target
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { values in
      for cluster in table.clusters {
        let first = next
        let cluster = UnsafeRawPointer(cluster)
        if column.storage == .int, ClusterList.isWhole(cluster), Cluster.offsets(cluster) == nil {
          let count = Cluster.slotCount(cluster)
          let base = Cluster.base(cluster)
          let values = values.baseAddress.unsafelyUnwrapped
          IntLeaf.decode(Cluster.leaf(cluster, at: Int(column.offset)), count: count, into: values)
          var slot = 0
          while slot < count {
            let key = base &+ UInt64(truncatingIfNeeded: slot)
            next[slot] = HashEntry(hash: seed.hash(values[slot]), row: key)
            slot &+= 1
          }
          next += count
        } else {
          ClusterList.forEachSlot(cluster) { slot in
            next.initialize(
              to: HashEntry(
                hash: StoredValue(cluster: cluster, slot: slot).hash(column, seed: seed),
                row: Cluster.key(cluster, slot).rawValue))
            next += 1
          }
        }
        if column.nullOffset != 0 { setNulls(first, cluster, column, nullHash) }
      }
    }
  }

  private func setNulls(
    _ entries: UnsafeMutablePointer<HashEntry>, _ cluster: UnsafeRawPointer, _ column: ColumnLayout, _ hash: UInt64
  ) {
    var row = 0
    ClusterList.forEachSlot(cluster) { slot in
      if Cluster.bit(cluster, Int(column.nullOffset), slot) { entries[row].hash = hash }
      row += 1
    }
  }
}
