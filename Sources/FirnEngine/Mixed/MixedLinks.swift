/// The rows that the values of one mixed column lead to, while a graph is being loaded.
struct MixedLinks {
  /// A link that starts in a mixed value.
  struct Link {
    let source: UInt64
    let target: UInt64
  }

  let origin: TableAssembly
  let column: Int

  /// Calls `body` with every row that has such values and where they lead.
  private func forEachReference(_ body: (_ source: UInt64, MixedReference) -> Void) {
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

  /// The links by the table that they lead to, each in the order of its sources. Throws when a table is unknown.
  ///
  /// - Complexity: O(rows + links), however many tables there are.
  func byTable(in layout: GraphLayout) throws -> [TableID: [Link]] {
    var links: [TableID: [Link]] = [:]
    var isUnknown = false
    forEachReference { source, reference in
      guard let table = layout.table(of: reference) else {
        isUnknown = true
        return
      }
      links[table, default: []].append(Link(source: source, target: reference.key.rawValue))
    }
    if isUnknown {
      throw ColumnContext(layout: origin.layout, column: column).error("has a value that leads to an unknown table")
    }
    return links
  }
}
