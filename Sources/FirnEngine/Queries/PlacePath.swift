/// A place seen from a row: the links to follow, then the columns of the last row that say where it is.
///
/// It is a place when the text of `type` is "Point", whatever the case of its letters, and the list `coordinates` begins
/// with a longitude and a latitude in degrees.
package struct PlacePath: Hashable, Sendable {
  package var links: [ColumnID]
  package var type: ColumnID
  package var coordinates: ColumnID

  package init(links: [ColumnID] = [], type: ColumnID, coordinates: ColumnID) {
    self.links = links
    self.type = type
    self.coordinates = coordinates
  }

  /// All that it depends on.
  package var reads: [[PathStep]] {
    [ColumnPath(links: links, type).reads, ColumnPath(links: links, coordinates).reads]
  }
}

extension SpherePoint {
  /// Nil when the numbers are no place.
  package init?(checkedLatitude latitude: Double, longitude: Double) {
    // NaN is in no range.
    guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// A place bound to the layouts of a graph: plain data.
struct ResolvedPlace {
  private let type: ResolvedPath
  /// The list of numbers, by the same links.
  private let coordinates: ResolvedPath
  private let shape: ListShape

  init(_ path: PlacePath, from table: TableID, among tables: [TableLayout], _ memory: QueryMemory) {
    type = memory.route(ColumnPath(links: path.links, path.type), from: table, among: tables)
    coordinates = memory.route(ColumnPath(links: path.links, path.coordinates), from: table, among: tables)
    shape = tables[type.table].listShape(path.coordinates.index)
    if type.column.type != .string || coordinates.column.type != .double || coordinates.column.storage != .list {
      fatalError("The columns of '\(tables[type.table].name)' hold no places.")
    }
  }

  var linkCount: Int { type.linkCount }

  /// The number of the cell as if it was what the column of the coordinates holds: a number in eight bytes, or null.
  var cellPath: ResolvedPath {
    var path = coordinates
    path.column.type = .double
    path.column.storage = .fixed
    path.column.isNullable = true
    return path
  }

  /// Where the place of a row is; nil when it has none.
  func point(_ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> SpherePoint? {
    guard let row = type.follow(cluster, slot, contents), isPoint(row, contents) else { return nil }
    let leaf = Cluster.leaf(row.cluster, at: Int(coordinates.column.offset))
    let list = FixedLeaf.load(leaf, row.slot, as: UnsafeRawPointer?.self)
    guard let list, ListTree.count(list) >= 2, !ListTree.isNull(list, 0, shape), !ListTree.isNull(list, 1, shape)
    else { return nil }
    return SpherePoint(
      checkedLatitude: ListTree.get(list, 1, shape).loadUnaligned(as: Double.self),
      longitude: ListTree.get(list, 0, shape).loadUnaligned(as: Double.self))
  }

  private func isPoint(_ row: RowLocation, _ contents: GraphContents) -> Bool {
    let column = type.column
    if column.nullOffset != 0, Cluster.bit(row.cluster, Int(column.nullOffset), row.slot) { return false }
    let leaf = Cluster.leaf(row.cluster, at: Int(column.offset))
    let text: UnsafeRawBufferPointer
    if column.storage == .interned {
      let entry = IntLeaf.value(leaf, row.slot)
      if entry == 0 { return false }
      text = contents.internedBytes(entry, in: Int(column.target))
    } else {
      text = BytesLeaf.bytes(leaf, row.slot)
    }
    return text.count == 5 && zip(text, "point".utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}
