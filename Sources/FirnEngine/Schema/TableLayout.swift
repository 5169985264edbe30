/// How a column is stored inside a cluster.
@usableFromInline
package enum ColumnStorage: UInt8, Sendable, BitwiseCopyable {
  /// A 256-bit mask in the cluster.
  case bits
  /// An `IntLeaf` of numbers.
  case int
  /// An `IntLeaf` of target keys plus one; 0 is null.
  case link
  /// An `IntLeaf` of keys plus one of the value table's rows; 0 is null.
  case interned
  /// A `FixedLeaf`.
  case fixed
  /// A `BytesLeaf`.
  case bytes
  /// A `FixedLeaf` of pointers to `ListTree` roots.
  case list
  /// A `FixedLeaf` of pointers to the roots of ordered `ListTree`s, see `SetTree`.
  case set
  /// A `FixedLeaf` of pointers to `MapTree` roots.
  case map

  @inlinable @inline(__always)
  package var isCollection: Bool {
    switch self {
    case .list, .set, .map: true
    case .bits, .int, .link, .interned, .fixed, .bytes: false
    }
  }
}

/// Everything that reading or writing one column needs to know. Plain data, read through a raw pointer.
@usableFromInline
package struct ColumnLayout: BitwiseCopyable, Sendable {
  @usableFromInline package var type: ColumnType
  @usableFromInline package var storage: ColumnStorage
  @usableFromInline package var isNullable: Bool
  @usableFromInline package var isIndexed: Bool
  @usableFromInline package var isPrimaryKey: Bool
  /// Bytes per value of a `FixedLeaf`.
  @usableFromInline package var elementSize: UInt8
  /// Where the leaf pointer or the bits lie in a cluster, in bytes.
  @usableFromInline package var offset: UInt16
  /// Where the null mask lies in a cluster; 0 when the column has none.
  @usableFromInline package var nullOffset: UInt16
  /// What links mean for their targets.
  package var linkKind = LinkKind.nullify
  /// Whether ordered indexes read the column, of this table or of one that links to it.
  package var isOrdered = false
  /// The first ordered index of the table that orders by the column before all; -1 when there is none.
  package var leadingIndex: Int32 = -1
  /// The table that links lead to, or the value table of an index; -1 when there is none.
  @usableFromInline package var target: Int32
  /// Which of the target's backlink columns belongs to this column; -1 when there is none. A mixed column has its
  /// number among the graph's mixed columns: each table has a backlink column for it, from `firstMixedBacklink` on.
  @usableFromInline package var backlink: Int32
}

/// The backlinks that one link column, or the postings that one indexed column, leaves in its target table.
package struct BacklinkLayout: BitwiseCopyable, Sendable {
  package var originTable: Int32
  package var originColumn: Int32
  /// Whether these are postings of an index: the target row goes when its last posting goes.
  package var isPosting = false
}

/// The shape of one table's rows, derived from the schema once.
///
/// Immutable after the graph was made; the raw arrays live as long as the layout.
@usableFromInline
package final class TableLayout: Sendable {
  @usableFromInline package let index: Int
  package let name: String
  /// Whether this is a table of the schema, not the value table of an index.
  package let isVisible: Bool
  package let columnCount: Int
  @usableFromInline package nonisolated(unsafe) let columns: UnsafeMutablePointer<ColumnLayout>
  /// The backlink columns: its own, then one for each mixed column of the graph.
  package let backlinkCount: Int
  private let ownBacklinks: [BacklinkLayout]
  /// Shared by all tables, so that a layout takes no more memory than there are tables and columns.
  private let mixedBacklinks: [BacklinkLayout]
  @usableFromInline let backlinksOffset: Int
  /// Bytes of a cluster of this table.
  package let clusterSize: Int
  @usableFromInline package let primaryKey: Int?
  package let descriptions: [ColumnDescription]
  /// Whether every row belongs to exactly one other, through a link of kind `embedded`.
  package let isOwned: Bool
  /// The columns whose targets go with a row.
  package let owningColumns: [Int]
  /// The columns whose targets keep a row from being deleted.
  let denyingColumns: [Int]
  /// The backlink column of the graph's first mixed column. Those before it are of links, or postings.
  package var firstMixedBacklink: Int { ownBacklinks.count }
  /// What mixed values call the table; 0 for a hidden one.
  package let number: UInt32
  let content: TableContent
  /// By column, see ``ColumnDescription/insertDefault``.
  let insertDefaults: [Value?]
  /// Whether its rows are in ordered indexes.
  package let hasOrderedIndexes: Bool

  init(
    index: Int, name: String, isVisible: Bool, columns: [ColumnLayout], ownBacklinks: [BacklinkLayout],
    mixedBacklinks: [BacklinkLayout], descriptions: [ColumnDescription], number: UInt32, isOwned: Bool,
    content: TableContent, hasOrderedIndexes: Bool
  ) {
    self.hasOrderedIndexes = hasOrderedIndexes
    self.number = number
    self.content = content
    self.index = index
    self.name = name
    self.isVisible = isVisible
    self.descriptions = descriptions
    insertDefaults = descriptions.map(\.insertDefault)
    self.isOwned = isOwned
    owningColumns = columns.indices.filter { columns[$0].linkKind == .cascade || columns[$0].linkKind == .embedded }
    denyingColumns = columns.indices.filter { columns[$0].linkKind == .deny }
    columnCount = columns.count
    self.ownBacklinks = ownBacklinks
    self.mixedBacklinks = mixedBacklinks
    backlinkCount = ownBacklinks.count + mixedBacklinks.count
    self.columns = .allocate(capacity: max(1, columns.count))
    primaryKey = columns.firstIndex { $0.isPrimaryKey }

    var offset = Cluster.columnsOffset
    for index in columns.indices {
      var column = columns[index]
      column.offset = UInt16(offset)
      offset += column.storage == .bits ? 32 : 8
      self.columns.advanced(by: index).initialize(to: column)
    }
    for index in columns.indices where columns[index].isNullable && columns[index].hasNullMask {
      self.columns[index].nullOffset = UInt16(offset)
      offset += 32
    }
    backlinksOffset = offset
    clusterSize = offset + 8 * backlinkCount
  }

  deinit { columns.deallocate() }

  package func backlink(_ index: Int) -> BacklinkLayout {
    index < ownBacklinks.count ? ownBacklinks[index] : mixedBacklinks[index - ownBacklinks.count]
  }

  /// The offset of the pointer to a `BacklinkLeaf` in a cluster.
  @inlinable @inline(__always)
  package func backlinkOffset(_ index: Int) -> Int { backlinksOffset &+ index &* 8 }
}

extension ColumnLayout {
  /// Links and interned values have a number of their own for null; a collection is never null itself.
  var hasNullMask: Bool {
    switch storage {
    case .link, .interned, .list, .set, .map: false
    case .bits, .int, .fixed, .bytes: true
    }
  }
}
