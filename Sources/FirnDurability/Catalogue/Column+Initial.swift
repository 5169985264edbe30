package import FirnEngine

extension GraphContents {
  /// Whether a row has anything else in a column than what it got when the column was added to it, or from a program
  /// that does not know the column.
  package func isWritten(
    _ column: Catalogue.Column, _ place: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    if column.collection != nil { return listCount(place, of: key, in: table) > 0 }
    let value = value(place, of: key, in: table)
    if let initial = column.defaultValue { return value != initial }
    return column.isNullable ? value != .null : !value.isZero
  }
}

extension Value {
  /// Whether the value is zero, false or empty.
  fileprivate var isZero: Bool {
    switch self {
    case .bool(let value): !value
    case .int(let value): value == 0
    case .float(let value): value == 0
    case .double(let value), .date(let value): value == 0
    case .string(let bytes), .data(let bytes): bytes.isEmpty
    case .objectID(let value): value == Bytes12(0, 0, 0)
    case .uuid(let value), .decimal128(let value): value == Bytes16(low: 0, high: 0)
    case .null, .link, .object, .list, .map: false
    }
  }
}
