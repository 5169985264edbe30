import FirnEngine

/// Leads from a row to what views are found by: to values, or to places, which count as the numbers of their cells.
struct RoutedPath: Hashable, Sendable {
  /// Of places, the way to the coordinates.
  let steps: [PathStep]
  /// The column beside the coordinates that says whether they are a place; nil where the path leads to values.
  let placeType: ColumnID?

  init(_ steps: [PathStep]) {
    self.steps = steps
    placeType = nil
  }

  init(_ place: PlacePath) {
    steps = ColumnPath(links: place.links, place.coordinates).reads
    placeType = place.type
  }

  private init(_ steps: [PathStep], placeType: ColumnID?) {
    self.steps = steps
    self.placeType = placeType
  }

  var isPlace: Bool { placeType != nil }

  /// Whether a path of steps leads to something that decides about the values.
  func reads(_ path: [PathStep]) -> Bool {
    if path == steps { return true }
    guard let placeType, path.count == steps.count, path.last == .column(placeType) else { return false }
    return path.dropLast() == steps.dropLast()
  }

  /// Whether a write to columns of the row where it begins may lead elsewhere.
  func isTouched(by columns: ColumnSet) -> Bool {
    if case .column(let column) = steps.first, columns.contains(column) { return true }
    return steps.count == 1 && placeType.map(columns.contains) ?? false
  }

  /// The same, seen from where another path begins.
  func behind(_ way: [PathStep]) -> RoutedPath { RoutedPath(way + steps, placeType: placeType) }
}

extension GraphContents {
  /// Calls `body` with every value to which the rest of a path leads from a row, null for what is no place.
  func forEachValue(
    at path: RoutedPath, skipping level: Int = 0, of key: RowKey, in table: TableID, _ body: (Value) -> Void
  ) {
    let rest = path.steps[level...]
    guard let type = path.placeType, case .column(let coordinates) = rest.last else {
      return forEachValue(at: rest, of: key, in: table, body)
    }
    let end = PathStep.tables(along: Array(rest), from: table.index, layout)[rest.count - 1]
    let place = PlacePath(type: type, coordinates: coordinates)
    forEachValue(at: rest.dropLast(), of: key, in: table) {
      guard case .link(let row) = $0 else { return body(.null) }
      body(cell(of: place, from: row, in: TableID(end)).map { .int(Int64($0)) } ?? .null)
    }
  }
}
