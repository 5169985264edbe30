import FirnEngine

/// Which rows of a table are grouped.
package enum GroupedRows {
  case all
  /// By their keys; a key without a row stands for an element that is null.
  case keys([UInt64])
}

/// Many rows of a table, read column by column.
struct RowBatch {
  let table: TableID
  let rows: GroupedRows
  let contents: GraphContents

  var count: Int {
    switch rows {
    case .all: contents.rowCount(table)
    case .keys(let keys): keys.count
    }
  }

  /// Calls `body` with where a path leads from each row, in order, and with the layout of the table there; nil where a link is
  /// null.
  @inline(__always)
  func forEach(_ path: ColumnPath, _ body: (RowLocation?, TableLayout) -> Void) {
    let layouts = contents.layout.tables
    var last = table.index
    for link in path.links { last = Int(layouts[last].columns[link.index].target) }
    let layout = layouts[last]
    if path.links.isEmpty { return forEach { body($0, layout) } }
    forEach { location in
      guard var location else { return body(nil, layout) }
      var current = table.index
      for link in path.links {
        let column = layouts[current].columns[link.index]
        let target = IntLeaf.value(Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot)
        current = Int(column.target)
        guard target != 0, let next = contents.locate(RowKey(UInt64(target - 1)), in: TableID(current)) else {
          return body(nil, layout)
        }
        location = next
      }
      body(location, layout)
    }
  }

  @inline(__always)
  private func forEach(_ body: (RowLocation?) -> Void) {
    switch rows {
    case .keys(let keys): for key in keys { body(contents.locate(RowKey(key), in: table)) }
    case .all:
      var clusters = ClusterCursor(contents.tableRoot(table))
      while let cluster = clusters.next() {
        let live = Cluster.live(cluster)
        for word in 0..<4 {
          var bits = live[word]
          while bits != 0 {
            body(RowLocation(cluster: cluster, slot: word &* 64 &+ bits.trailingZeroBitCount))
            bits &= bits &- 1
          }
        }
      }
    }
  }
}
