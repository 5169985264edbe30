/// Hands out the rows of one table of a version as column chunks, group by group, ascending by key.
///
/// Groups end where nodes of the directory do, so that a loader that gets the same groups builds whole nodes from each.
/// Interned columns come as positions in a dictionary that holds the values of the index, in the order of its value table.
///
/// Valid as long as the version that the contents came from is held. A value: its copies go on independently.
package struct TableExport: Sendable {
  /// The most rows in a group.
  package static var groupRowCountMax: Int { 16_384 }

  private let contents: GraphContents
  private let layout: TableLayout
  private let dictionaries: [DictionaryIDs?]
  private var cursor: UncheckedCursor
  /// Clusters that were read ahead and belong to the next group.
  private var ahead = ClusterList()
  private var cluster: UnsafeClusterPointer?

  /// - Complexity: O(values of indexes that lost a value at some time).
  package init(_ contents: GraphContents, table: TableID) {
    self.contents = contents
    layout = contents.layout.tables[table.index]
    var dictionaries: [DictionaryIDs?] = []
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      dictionaries.append(
        column.storage == .interned ? DictionaryIDs(contents, table: TableID(Int(column.target))) : nil)
    }
    self.dictionaries = dictionaries
    cursor = UncheckedCursor(cursor: ClusterCursor(contents.tableRoot(table)))
    cluster = cursor.cursor.next().map(UnsafeClusterPointer.init)
  }

  /// The next rows, at most ``groupRowCountMax``, never none; nil at the end.
  ///
  /// - Complexity: O(rows of the group).
  package mutating func nextGroup() -> RowGroup? {
    var group = ahead
    ahead = ClusterList()
    if group.clusters.isEmpty { group = readNode() }
    while !group.clusters.isEmpty, group.rowCount < Self.groupRowCountMax {
      ahead = readNode()
      if ahead.clusters.isEmpty || group.rowCount + ahead.rowCount > Self.groupRowCountMax { break }
      group.append(ahead)
      ahead = ClusterList()
    }
    if group.clusters.isEmpty { return nil }
    return RowGroup(clusters: group, layout: layout, dictionaries: dictionaries, contents: contents)
  }

  /// The values of an interned column, counted from 1 in its chunks; every one is used by some row.
  ///
  /// - Complexity: O(bytes of the values).
  package func dictionary(_ column: ColumnID) -> ByteStrings {
    let description = layout.columns[column.index]
    guard description.storage == .interned else {
      fatalError("Column \(column.index) of '\(layout.name)' has no dictionary.")
    }
    let valueTable = contents.layout.tables[Int(description.target)]
    var clusters = ClusterList()
    var cursor = ClusterCursor(contents.tableRoot(TableID(valueTable.index)))
    while let cluster = cursor.next() { clusters.append(cluster) }
    let group = RowGroup(clusters: clusters, layout: valueTable, dictionaries: [nil], contents: contents)
    guard case .bytes(let values) = group.chunk(ColumnID(0)).values else { fatalError("A value table has no bytes.") }
    return values
  }

  /// The clusters of the next lowest directory node that has rows: at most 16,384 rows.
  private mutating func readNode() -> ClusterList {
    var list = ClusterList()
    while let first = cluster?.pointer, list.clusters.isEmpty {
      let node = Cluster.base(first) &>> 14
      while let next = cluster?.pointer, Cluster.base(next) &>> 14 == node {
        list.append(next)
        cluster = cursor.cursor.next().map(UnsafeClusterPointer.init)
      }
    }
    return list
  }
}

/// Clusters in key order and how many rows they have. Empty ones are left out.
struct ClusterList: @unchecked Sendable {
  // State      guarded by
  // clusters   nothing: they belong to a held version, nobody writes them
  var clusters: [UnsafeRawPointer] = []
  var rowCount = 0

  mutating func append(_ cluster: UnsafeRawPointer) {
    let count = Cluster.liveCount(cluster)
    if count == 0 { return }
    clusters.append(cluster)
    rowCount += count
  }

  mutating func append(_ other: ClusterList) {
    clusters.append(contentsOf: other.clusters)
    rowCount += other.rowCount
  }
}

/// Sendable because clusters of a held version are never written.
private struct UncheckedCursor: @unchecked Sendable {
  var cursor: ClusterCursor
}

/// Sendable because clusters of a held version are never written.
private struct UnsafeClusterPointer: @unchecked Sendable {
  let pointer: UnsafeRawPointer
}
