extension Value {
  /// The number of an integer.
  var integer: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The bytes of a string or data.
  var text: [UInt8]? {
    switch self {
    case .string(let bytes), .data(let bytes): bytes
    default: nil
    }
  }

  /// The bytes of a value that is stored as bytes, or in a width of its own.
  package var storedBytes: [UInt8]? {
    switch self {
    case .float(let value): withUnsafeBytes(of: value) { Array($0) }
    case .double(let value), .date(let value): withUnsafeBytes(of: value) { Array($0) }
    case .string(let bytes), .data(let bytes): bytes
    case .objectID(let value): withUnsafeBytes(of: value) { Array($0) }
    case .uuid(let value), .decimal128(let value): withUnsafeBytes(of: value) { Array($0) }
    case .null, .bool, .int, .link, .object, .list, .map: nil
    }
  }
}
