internal import CFirn

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

extension GraphContents {
  /// The number of the smallest cell that the place of a row lies in; nil when it has none, or does not exist.
  package func cell(of place: PlacePath, from row: RowKey, in table: TableID) -> UInt64? {
    guard let location = locate(row, in: table) else { return nil }
    let memory = QueryMemory()
    return withExtendedLifetime(memory) {
      ResolvedPlace(place, from: table, among: layout.tables, memory)
        .point(location.cluster, location.slot, self).map(PlaceCell.number)
    }
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

  /// The table behind the links.
  var table: Int { type.table }

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
    end(of: RowLocation(cluster: cluster, slot: slot), contents)
      .flatMap { degrees(at: $0, contents) }
      .flatMap { SpherePoint(checkedLatitude: $0.latitude, longitude: $0.longitude) }
  }

  /// The value that an index orders the place of an end of the links by: the number of its cell, null for what is no place.
  @inline(__always)
  func value(at end: RowLocation, _ contents: GraphContents) -> OrderedValue {
    guard isPoint(end, contents), let cell = cell(at: end) else { return OrderedValue(.null) }
    return cell
  }

  /// The same if the type is right; nil when the coordinates are those of no place.
  @inline(__always)
  func cell(at end: RowLocation) -> OrderedValue? {
    guard let degrees = numbers(at: end),
      let point = SpherePoint(checkedLatitude: degrees.latitude, longitude: degrees.longitude)
    else { return nil }
    return OrderedValue(cell: PlaceCell.number(of: point))
  }

  /// The row behind the links; nil when one of them is null.
  @inline(__always)
  func end(of row: RowLocation, _ contents: GraphContents) -> RowLocation? {
    type.follow(row.cluster, row.slot, contents)
  }

  /// What the row behind the links holds; nil when it is no place. The numbers may be none.
  @inline(__always)
  func degrees(at row: RowLocation, _ contents: GraphContents) -> (latitude: Double, longitude: Double)? {
    isPoint(row, contents) ? numbers(at: row) : nil
  }

  /// The first two coordinates.
  @inline(__always)
  private func numbers(at row: RowLocation) -> (latitude: Double, longitude: Double)? {
    let leaf = Cluster.leaf(row.cluster, at: Int(coordinates.column.offset))
    let list = FixedLeaf.load(leaf, row.slot, as: UnsafeRawPointer?.self)
    guard let list, ListTree.count(list) >= 2, !ListTree.isNull(list, 0, shape), !ListTree.isNull(list, 1, shape)
    else { return nil }
    return (
      ListTree.get(list, 1, shape).loadUnaligned(as: Double.self),
      ListTree.get(list, 0, shape).loadUnaligned(as: Double.self)
    )
  }

  /// Begins to fetch what `isPoint` reads of a row.
  func fetchType(_ row: RowLocation) {
    let leaf = Cluster.leaf(row.cluster, at: Int(type.column.offset))
    if type.column.storage == .interned { IntLeaf.fetch(leaf, row.slot, width: 1) } else { firn_prefetch(leaf) }
  }

  /// Begins to fetch the first link of a row.
  func fetchLink(of row: RowLocation) {
    IntLeaf.fetch(Cluster.leaf(row.cluster, at: Int(type.links[0].offset)), row.slot, width: 4)
  }

  /// Whether the type of a row says that its coordinates are a place.
  func isPoint(_ row: RowLocation, _ contents: GraphContents) -> Bool {
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
    // "poin" and "t".
    return text.count == 5 && text.loadUnaligned(as: UInt32.self).littleEndian | 0x2020_2020 == 0x6E69_6F70
      && text[4] | 0x20 == 0x74
  }
}
