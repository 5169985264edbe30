/// The rows that the values of one mixed column lead to, while a graph is being loaded.
struct MixedLinks {
  let origin: TableAssembly
  let column: Int

  /// Calls `body` with every row that has such values and where they lead.
  func forEachReference(_ body: (_ source: UInt64, MixedReference) -> Void) {
    let description = origin.layout.columns[column]
    let offset = Int(description.offset)
    let shape = origin.layout.listShape(column)
    for cluster in origin.clusters {
      let leaf = Cluster.leaf(cluster, at: offset)
      ClusterList.forEachSlot(cluster) { slot in
        let source = Cluster.key(cluster, slot).rawValue
        if description.storage.isCollection {
          let root = FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self)
          ListTree.forEach(description.elements(root), as: UInt64.self, shape) { word in
            if word == 0 { return }
            Blob(word: word).withBytes { if let reference = MixedBytes.reference($0) { body(source, reference) } }
          }
        } else if !Cluster.bit(cluster, Int(description.nullOffset), slot) {
          if let reference = MixedBytes.reference(BytesLeaf.bytes(leaf, slot)) { body(source, reference) }
        }
      }
    }
  }

  /// The tables that values lead to. Throws when one is unknown.
  func targets(in layout: GraphLayout) throws -> [TableID] {
    var targets: Set<MixedReference.Target> = []
    forEachReference { targets.insert($1.target) }
    var tables: [TableID] = []
    for target in targets {
      guard let table = layout.table(of: MixedReference(target: target, key: RowKey(0))) else {
        throw ColumnContext(layout: origin.layout, column: column).error("has a value that leads to an unknown table")
      }
      tables.append(table)
    }
    return tables.sorted()
  }

  static func leads(_ reference: MixedReference, to table: TableLayout) -> Bool {
    switch reference.target {
    case .table(let number): number == table.number
    case .lists: table.content == .lists
    case .maps: table.content == .maps
    }
  }
}
