/// Builds the next version of a graph. There is one per graph; whoever holds the writer gate uses it.
///
/// Works on a private root: nodes are copied when first touched and written in place afterwards. Backlinks and postings
/// are buffered and merged when somebody needs them, at the latest at commit.
///
/// State              guarded by
/// everything here    the graph's writer gate
package final class Writer: @unchecked Sendable {
  package let layout: GraphLayout
  let store: BlockStore

  /// The root that the running transaction reads and changes.
  @exclusivity(unchecked) var root: Block
  /// The number of the version being written; 0 outside of a transaction.
  @exclusivity(unchecked) package internal(set) var version: UInt64 = 0
  /// Why the running transaction must not be committed; nil when it may.
  package var refusal: String? { store.refusal }
  @exclusivity(unchecked) let tables: UnsafeMutablePointer<TableState>
  /// Tables that the transaction touched, so that ending it costs nothing for the others.
  @exclusivity(unchecked) var activeTables: [Int] = []
  /// Buffered backlinks by origin table and column, then those of mixed values that lead to one table.
  @exclusivity(unchecked) var pendingLinks: [PendingLinks] = []
  /// Which of them hold something.
  @exclusivity(unchecked) var activePendingLinks: [Int] = []
  /// The ordered indexes by number.
  let ordered: UnsafeMutablePointer<OrderedState>
  /// Which of them have to be brought up to date.
  @exclusivity(unchecked) var openOrdered: [Int] = []
  @exclusivity(unchecked) package internal(set) var orderedWork = OrderedWork()
  /// Whether the running transaction may break unique indexes, leave those unbuilt of which it changes much, and go
  /// beyond limits while it is under way: what commits did is replayed in another order. Ends with the transaction.
  var isReplaying: Bool {
    get { store.isReplaying }
    set { store.isReplaying = newValue }
  }
  /// Blocks that are about to be freed; empty but for that moment.
  @exclusivity(unchecked) var freeable: [Block] = []
  /// A change set that nobody needs any more, for its memory.
  @exclusivity(unchecked) var spareChanges: ChangeSet
  /// Where the buffers of a table's columns start in `pendingLinks`.
  let firstPendingLinks: [Int]
  /// The positions of the buffers of mixed columns, by column and table that the values lead to: made when they are
  /// first needed, as there may be very many of both.
  @exclusivity(unchecked) var mixedLinks: [Int: Int] = [:]
  /// The one that was asked for last.
  @exclusivity(unchecked) var lastMixedLinks = (place: -1, index: 0)
  /// Collections that no mixed value leads to any longer, to be deleted at the end of the operation.
  @exclusivity(unchecked) var releasedCollections: [MixedReference] = []
  @exclusivity(unchecked) var isDeletingReleased = false
  /// The tables whose written rows a query follows inside the transaction.
  @exclusivity(unchecked) var touchLogCount = 0
  /// Whether released collections stay, because whoever writes deletes them itself. Ends with the transaction.
  @exclusivity(unchecked) package var keepsReleasedCollections = false

  /// Whether deleting rows and removing links does what the kinds of links say. Not while effects are applied, which name
  /// every row that goes.
  @exclusivity(unchecked) package var followsLinkKinds = true
  /// Rows whose owning link was removed by the running operation.
  @exclusivity(unchecked) var orphans: [(table: TableID, key: RowKey)] = []
  /// What has to be checked at commit, since rows with denying links were deleted.
  @exclusivity(unchecked) var denials: [Denial] = []

  /// Whom the running transaction writes for. Ends with the transaction.
  @exclusivity(unchecked) package var client = WriterClient()

  /// The cluster that was asked for last, owned, with its table and `key >> 8`: writes mostly come row by row. Forgotten
  /// when clusters move and between transactions (table -1).
  @exclusivity(unchecked) private(set) var lastCluster: (table: Int, index: UInt64, cluster: Block)
  /// The row counts on the way to `lastCluster`, from the top, as far as they have been looked up.
  private let lastCounts = UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>.allocate(capacity: 12)
  @exclusivity(unchecked) private var lastCountsHeight = 0
  @exclusivity(unchecked) private var lastTableRoot: Block

  init(layout: GraphLayout, store: BlockStore) {
    self.layout = layout
    spareChanges = ChangeSet(tableCount: layout.visibleCount)
    self.store = store
    tables = .allocate(capacity: layout.tables.count)
    for table in layout.tables { (tables + table.index).initialize(to: TableState(nextKey: 0)) }
    ordered = Self.orderedStates(layout, tables)
    (firstPendingLinks, pendingLinks) = Self.linkBuffers(layout)
    store.beginTransaction(version: 1)
    root = VersionRoot.make(
      tables: layout.tables.map { _ in TableRoot.make(store: store) }, layout: layout, store: store)
    lastCluster = (-1, 0, root)
    lastTableRoot = root
    _ = store.endTransaction()
  }

  /// A writer that goes on from a loaded version.
  ///
  /// - Parameters:
  ///   - root: The root of that version, made in `store`.
  ///   - nextKeys: The key that the next row of each table gets, hidden tables included.
  ///   - suspects: By number of an index, the rows that may have an equal one.
  init(layout: GraphLayout, store: BlockStore, root: Block, nextKeys: [UInt64], suspects: [Int: Set<UInt64>]) {
    self.layout = layout
    spareChanges = ChangeSet(tableCount: layout.visibleCount)
    self.store = store
    self.root = root
    tables = .allocate(capacity: layout.tables.count)
    for table in layout.tables { (tables + table.index).initialize(to: TableState(nextKey: nextKeys[table.index])) }
    ordered = Self.orderedStates(layout, tables)
    for (number, suspects) in suspects { ordered[number].suspects = suspects }
    (firstPendingLinks, pendingLinks) = Self.linkBuffers(layout)
    lastCluster = (-1, 0, root)
    lastTableRoot = root
  }

  /// One buffer per column, and where those of each table start.
  private static func linkBuffers(_ layout: GraphLayout) -> ([Int], [PendingLinks]) {
    var first: [Int] = []
    var buffers: [PendingLinks] = []
    for table in layout.tables {
      first.append(buffers.count)
      for column in 0..<table.columnCount {
        let description = table.columns[column]
        buffers.append(
          PendingLinks(
            origin: (table.index, column), target: Int(description.target), backlink: Int(description.backlink)))
      }
    }
    return (first, buffers)
  }

  private static func orderedStates(
    _ layout: GraphLayout, _ tables: UnsafeMutablePointer<TableState>
  ) -> UnsafeMutablePointer<OrderedState> {
    let states = UnsafeMutablePointer<OrderedState>.allocate(capacity: max(1, layout.orderedIndexes.count))
    for index in layout.orderedIndexes {
      (states + index.number).initialize(to: OrderedState(firstNewKey: tables[index.table.index].nextKey))
    }
    return states
  }

  deinit {
    tables.deinitialize(count: layout.tables.count)
    tables.deallocate()
    ordered.deinitialize(count: layout.orderedIndexes.count)
    ordered.deallocate()
    lastCounts.deallocate()
  }

  /// Bytes of all blocks of the graph, those that only older versions show and those of the running transaction
  /// included.
  package var allocatedByteCount: Int { store.allocatedByteCount }

  /// What the transaction sees, its own changes included, except buffered backlinks and what ordered indexes wait for.
  package var contents: GraphContents { GraphContents(root: root, layout: layout) }

  /// What the transaction sees, with backlinks and postings brought up to date.
  package var settledContents: GraphContents {
    flushLinks()
    return GraphContents(root: root, layout: layout)
  }

  /// The same with some ordered indexes brought up to date, too.
  package func settledContents(ofIndexes numbers: [Int]) -> GraphContents {
    flushLinks()
    for number in numbers { settleOrdered(number) }
    return GraphContents(root: root, layout: layout)
  }

  /// The same with all ordered indexes brought up to date.
  package var indexedContents: GraphContents {
    flushLinks()
    settleOrdered()
    return GraphContents(root: root, layout: layout)
  }
}

/// What the writer keeps of one table during a transaction.
struct TableState {
  /// The key that the next inserted row gets. Never goes back, also when the transaction is cancelled.
  var nextKey: UInt64
  /// The first key of the running transaction: rows at or above it are new.
  var firstNewKey: UInt64 = 0
  var isActive = false
  /// Whether the ordered indexes know that there are rows for them to put in.
  var hasNewOrdered = false
  /// Clusters that hold a dirty record.
  var dirtyClusters: [Block] = []
  /// Their records; a cluster may be given up while its record is still needed.
  var dirtyRecords: [UnsafeMutableRawPointer] = []
  var deleted: [RowKey] = []
  /// A key of every cluster that may have become sparse.
  var sparseCandidates: [UInt64] = []
  var lists = ChangedLists()
  /// Rows written since a query started to follow the table inside this transaction; nil when none does.
  var touchLog: [RowKey]?
  /// How much of the log a query has seen.
  var touchLogLook = 0

  init(nextKey: UInt64) { self.nextKey = nextKey }
}

extension Writer {
  @inline(__always)
  func activate(_ table: Int) {
    if !tables[table].isActive {
      tables[table].isActive = true
      tables[table].firstNewKey = tables[table].nextKey
      activeTables.append(table)
    }
  }

  /// The root of a table, owned by this transaction.
  func ownTable(_ table: Int) -> Block {
    activate(table)
    ownRoot()
    let tableRoot = UnsafeMutableRawPointer(mutating: VersionRoot.table(root, table))
    if store.owns(tableRoot) { return tableRoot }
    let copy = store.replace(tableRoot, usedByteCount: TableRoot.byteCount, capacity: TableRoot.byteCount)
    VersionRoot.setTable(root, table, copy)
    return copy
  }

  /// Makes the root of the version one that this transaction owns.
  @inline(__always)
  func ownRoot() {
    if store.owns(root) { return }
    let byteCount = VersionRoot.byteCount(layout)
    root = store.replace(root, usedByteCount: byteCount, capacity: byteCount)
    client.rootWord?.pointee = UnsafeRawPointer(root)
  }

  @inline(__always)
  func tableRoot(_ table: Int) -> UnsafeRawPointer { VersionRoot.table(root, table) }

  /// The cluster of a living or dead row, owned by this transaction; nil when there is no cluster for the key.
  @inline(__always)
  func ownCluster(_ table: Int, of key: UInt64) -> Block? {
    if lastCluster.table == table, lastCluster.index == key &>> 8 { return lastCluster.cluster }
    return findOwnCluster(table, of: key)
  }

  @inline(never)
  private func findOwnCluster(_ table: Int, of key: UInt64) -> Block? {
    guard let cluster = Directory.cluster(tableRoot(table), of: key) else { return nil }
    let block = UnsafeMutableRawPointer(mutating: cluster)
    // Owned children have owned parents.
    if store.owns(block) {
      lastCluster = (table, key &>> 8, block)
      lastCountsHeight = 0
      return block
    }
    let copy = store.replace(
      block, usedByteCount: layout.tables[table].clusterSize, capacity: layout.tables[table].clusterSize)
    Cluster.setDirtyRecord(copy, nil)
    setCluster(table, copy)
    didMoveClusters()
    lastCluster = (table, key &>> 8, copy)
    lastCountsHeight = 0
    return copy
  }

  func forgetLastCluster() {
    lastCluster.table = -1
    lastCountsHeight = 0
  }

  func didMoveClusters() {
    forgetLastCluster()
    if let epochWord = client.epochWord { epochWord.pointee &+= 1 }
  }

  /// Puts a cluster into all directory entries of its span, owning the nodes on the way, which must exist.
  func setCluster(_ table: Int, _ cluster: Block) {
    let node = ownLowestNode(table, of: Cluster.base(cluster))
    let first = Int(Cluster.base(cluster) &>> 8 & 63)
    for entry in first..<(first + Cluster.span(cluster)) { Directory.setChild(node, entry, cluster) }
  }

  /// The lowest directory node for a key, owned, with the nodes above it; creates what is missing.
  func ownLowestNode(_ table: Int, of key: UInt64) -> Block {
    let tableRoot = ownTable(table)
    let index = key &>> 8
    var height = TableRoot.height(tableRoot)
    var top: Block
    if let existing = TableRoot.mutableTop(tableRoot) {
      top = existing
      if !store.owns(top) {
        top = Directory.copy(top, store: store)
        TableRoot.setTop(tableRoot, top)
      }
    } else {
      height = 1
      while index &>> UInt64(6 * height) != 0 { height += 1 }
      top = Directory.make(store: store)
      TableRoot.setTop(tableRoot, top)
      TableRoot.setHeight(tableRoot, height)
    }
    while index &>> UInt64(6 * height) != 0 {
      let higher = Directory.make(store: store)
      Directory.setChild(higher, 0, top)
      Directory.setCount(higher, 0, TableRoot.rowCount(tableRoot))
      top = higher
      height += 1
      TableRoot.setTop(tableRoot, top)
      TableRoot.setHeight(tableRoot, height)
    }
    var node = top
    var shift = UInt64(6 * (height - 1))
    while shift > 0 {
      let entry = Int(index &>> shift & 63)
      if let child = Directory.mutableChild(node, entry) {
        if store.owns(child) {
          node = child
        } else {
          let copy = Directory.copy(child, store: store)
          Directory.setChild(node, entry, copy)
          node = copy
        }
      } else {
        let child = Directory.make(store: store)
        Directory.setChild(node, entry, child)
        node = child
      }
      shift -= 6
    }
    return node
  }

  /// Adds to the row counts on the way to an owned cluster.
  @inline(__always)
  func addToCounts(_ table: Int, of key: UInt64, _ delta: Int) {
    guard lastCountsHeight > 0, lastCluster.table == table, lastCluster.index == key &>> 8 else {
      return addToCountsOnTheWay(table, of: key, delta)
    }
    TableRoot.setRowCount(lastTableRoot, TableRoot.rowCount(lastTableRoot) &+ delta)
    var level = 0
    while level < lastCountsHeight {
      lastCounts[level].pointee &+= UInt32(truncatingIfNeeded: delta)
      level &+= 1
    }
  }

  @inline(never)
  private func addToCountsOnTheWay(_ table: Int, of key: UInt64, _ delta: Int) {
    let tableRoot = ownTable(table)
    lastTableRoot = tableRoot
    TableRoot.setRowCount(tableRoot, TableRoot.rowCount(tableRoot) + delta)
    var level = 0
    func add(_ node: Block, _ entry: Int) {
      let count = (node + Directory.countsOffset + entry &* 4).assumingMemoryBound(to: UInt32.self)
      count.pointee &+= UInt32(truncatingIfNeeded: delta)
      lastCounts[level] = count
      level += 1
    }
    var node = TableRoot.mutableTop(tableRoot).unsafelyUnwrapped
    let index = key &>> 8
    var shift = UInt64(6 * (TableRoot.height(tableRoot) - 1))
    while shift > 0 {
      let entry = Int(index &>> shift & 63)
      add(node, entry)
      node = Directory.mutableChild(node, entry).unsafelyUnwrapped
      shift -= 6
    }
    let cluster = Directory.child(node, Int(index & 63)).unsafelyUnwrapped
    add(node, Int(Cluster.base(cluster) &>> 8 & 63))
    // The way is owned like the cluster; both are forgotten together.
    lastCountsHeight = lastCluster.table == table && lastCluster.index == index ? level : 0
  }
}

extension Directory {
  static func make(store: BlockStore) -> Block {
    let node = store.allocate(byteCount: byteCount)
    node.blockKind = kind
    (node + 16).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount - 16)
    return node
  }

  static func copy(_ node: Block, store: BlockStore) -> Block {
    store.replace(node, usedByteCount: byteCount, capacity: byteCount)
  }

  @inline(__always)
  static func setChild(_ node: Block, _ index: Int, _ child: Block?) {
    node.storeBytes(of: child, toByteOffset: 16 &+ index &* 8, as: Block?.self)
  }

  @inline(__always)
  static func setCount(_ node: Block, _ index: Int, _ count: Int) {
    node.storeBytes(
      of: UInt32(truncatingIfNeeded: count), toByteOffset: countsOffset &+ index &* 4, as: UInt32.self)
  }

  static func mutableChild(_ node: Block, _ index: Int) -> Block? {
    node.load(fromByteOffset: 16 &+ index &* 8, as: Block?.self)
  }
}
