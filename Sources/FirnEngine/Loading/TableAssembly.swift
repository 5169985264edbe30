/// One table on its way from clusters to a finished root.
///
/// State                         guarded by
/// clusters, root                written before the tasks that read them start
/// backlink fields of clusters   one task per backlink column
/// primary key index             one task
final class TableAssembly: @unchecked Sendable {
  let layout: TableLayout
  private(set) var clusters: [Block] = []
  private(set) var rowCount = 0
  private(set) var nextKey: UInt64 = 0
  private(set) var root: Block?

  init(layout: TableLayout) { self.layout = layout }

  /// Takes clusters in key order and builds the directory over them.
  func setClusters(_ clusters: [Block], nextKey: UInt64, store: BlockStore) {
    self.clusters = clusters
    self.nextKey = nextKey
    rowCount = clusters.reduce(0) { $0 + Cluster.liveCount($1) }
    let root = TableRoot.make(store: store)
    TableRoot.setRowCount(root, rowCount)
    if let (top, height) = directory(store) {
      TableRoot.setTop(root, top)
      TableRoot.setHeight(root, height)
    }
    self.root = root
  }

  /// A node with a number of rows below it and its position among the nodes of its level.
  private struct Node {
    let index: UInt64
    let block: Block
    var count: Int
  }

  private func directory(_ store: BlockStore) -> (top: Block, height: Int)? {
    var level: [Node] = []
    for cluster in clusters {
      let index = Cluster.base(cluster) >> 14
      if level.last?.index != index {
        level.append(Node(index: index, block: Directory.make(store: store), count: 0))
      }
      let entry = Int(Cluster.base(cluster) >> 8 & 63)
      for covered in entry..<(entry + Cluster.span(cluster)) {
        Directory.setChild(level[level.count - 1].block, covered, cluster)
      }
      Directory.setCount(level[level.count - 1].block, entry, Cluster.liveCount(cluster))
      level[level.count - 1].count += Cluster.liveCount(cluster)
    }
    if level.isEmpty { return nil }
    var height = 1
    while level.count > 1 || level[0].index != 0 {
      var parents: [Node] = []
      for node in level {
        let index = node.index >> 6
        if parents.last?.index != index {
          parents.append(Node(index: index, block: Directory.make(store: store), count: 0))
        }
        Directory.setChild(parents[parents.count - 1].block, Int(node.index & 63), node.block)
        Directory.setCount(parents[parents.count - 1].block, Int(node.index & 63), node.count)
        parents[parents.count - 1].count += node.count
      }
      level = parents
      height += 1
    }
    return (level[0].block, height)
  }

  // MARK: Ordinals

  /// Notes in each cluster its position among the clusters, until `clearOrdinals`. The field belongs to transactions.
  func setOrdinals() {
    for (ordinal, cluster) in clusters.enumerated() {
      cluster.storeBytes(of: UInt64(ordinal), toByteOffset: Cluster.dirtyOffset, as: UInt64.self)
    }
  }

  func clearOrdinals() {
    for cluster in clusters { Cluster.setDirtyRecord(cluster, nil) }
  }

  @inline(__always)
  static func ordinal(_ cluster: UnsafeRawPointer) -> Int {
    Int(truncatingIfNeeded: cluster.load(fromByteOffset: Cluster.dirtyOffset, as: UInt64.self))
  }
}
