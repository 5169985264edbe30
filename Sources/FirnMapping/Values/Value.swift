public import Foundation

/// The stored form of a value: an integer, a floating-point number, a text, bytes, or null.
public struct Value: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case null
    case integer32(Int32)
    case integer64(Int64)
    case float(Double)
    case text(String)
    case blob(Data)
  }

  let content: Content

  /// Makes null.
  public init(_: Void? = nil) { content = .null }

  /// Makes an integer of 32 bits.
  public init(_ value: Int32) { content = .integer32(value) }

  /// Makes an integer of 64 bits.
  public init(_ value: Int64) { content = .integer64(value) }

  /// Makes a floating-point number.
  public init(_ value: Double) { content = .float(value) }

  /// Makes a text.
  public init(_ value: String) { content = .text(value) }

  /// Makes a value of bytes.
  public init(_ value: Data) { content = .blob(value) }

  /// Makes the stored form of a value.
  public init<T: ColumnEncodable>(_ encodedValue: T) { self = encodedValue.archivedValue() }

  /// What kind of value it is. Of null, ``ColumnType/null``.
  public var type: ColumnType {
    switch content {
    case .null: .null
    case .integer32: .integer32
    case .integer64: .integer64
    case .float: .float
    case .text: .text
    case .blob: .BLOB
    }
  }
}

/// The values of one column.
public typealias OneColumnValue = [Value]
/// The values of one row.
public typealias OneRowValue = [Value]
/// The values of several rows.
public typealias MultiRowsValue = [OneRowValue]

extension Array where Element == OneRowValue {
  /// The value in a column of a row. Traps where there is none.
  public subscript(row row: Int, column column: Int) -> Value { self[row][column] }
}
