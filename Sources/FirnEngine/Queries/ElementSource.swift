/// Where the elements of a collection lie, seen from a row. Plain data but for the layout.
struct ElementSource {
  enum Kind {
    case values, keys
    /// The place of the backlink in its table.
    case backlinks(Int)
  }

  private let kind: Kind
  /// The way to the row that has the collection, and the collection's column.
  private let route: ResolvedPath
  private let shape: ListShape
  /// What the elements are; rows for links and backlinks.
  let type: ColumnType
  /// The table of the rows.
  let table: TableID

  init(_ collection: CollectionPath, from origin: TableID, _ layout: GraphLayout, _ memory: QueryMemory) {
    switch collection.elements {
    case .column(let column), .keys(let column):
      route = memory.route(ColumnPath(links: collection.links, column), from: origin, in: layout)
      if !route.column.storage.isCollection {
        fatalError("Column \(column.index) of '\(layout.tables[route.table].name)' is no collection.")
      }
      if case .keys = collection.elements {
        (kind, type, shape) = (.keys, .string, MapTree.keyShape)
      } else {
        (kind, type) = (.values, route.column.type)
        shape = layout.tables[route.table].listShape(column.index)
      }
      table = TableID(Int(route.column.target))
    case .backlinks(let rows, let column):
      // Only the way counts.
      route = memory.route(ColumnPath(links: collection.links, ColumnID(0)), from: origin, in: layout)
      kind = .backlinks(Int(layout.tables[rows.index].columns[column.index].backlink))
      (type, shape, table) = (.link, ListShape(width: 8), rows)
    }
  }

  /// Whether backlinks are read, which a transaction brings up to date when it is settled.
  var readsBacklinks: Bool {
    if case .backlinks = kind { return true }
    return false
  }

  func count(_ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> Int {
    guard let row = route.follow(cluster, slot, contents) else { return 0 }
    if case .backlinks(let backlink) = kind { return postings(backlink, row, contents)?.count ?? 0 }
    return ListTree.count(elements(row))
  }

  /// Calls `body` with each element until it returns false: the bytes that a list stores for it, nil for null.
  func forEach(
    _ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents, while body: (UnsafeRawPointer?) -> Bool
  ) {
    guard let row = route.follow(cluster, slot, contents) else { return }
    if case .backlinks(let backlink) = kind {
      guard let postings = postings(backlink, row, contents) else { return }
      var sources = KeyIterator(BacklinkLeaf.sources(postings.leaf, postings.slot))
      while var source = sources.next() {
        if !withUnsafeBytes(of: &source, { body($0.baseAddress) }) { return }
      }
      return
    }
    var cursor = ListCursor(elements(row), shape)
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count
      where !body(chunk.isNull(index) ? nil : chunk.elements + index &* shape.width) {
        return
      }
    }
  }

  private func elements(_ row: RowLocation) -> UnsafeRawPointer? {
    let leaf = Cluster.leaf(row.cluster, at: Int(route.column.offset))
    let root = FixedLeaf.load(leaf, row.slot, as: UnsafeRawPointer?.self)
    if case .keys = kind { return MapTree.keys(root) }
    return route.column.elements(root)
  }

  private func postings(_ backlink: Int, _ row: RowLocation, _ contents: GraphContents) -> Postings? {
    let offset = contents.layout.tables[route.table].backlinkOffset(backlink)
    return Cluster.optionalLeaf(row.cluster, at: offset).map { Postings(leaf: $0, slot: row.slot) }
  }
}
