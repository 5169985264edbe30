package import FirnEngine

/// What the application's declaration of a property gives to rows that lack it.
package enum ColumnDefault: Sendable, Hashable {
  /// Null, or else zero, false or empty.
  case empty
  case value(Value)
  /// Another value for each row; what gives them is asked when they are needed.
  case perRow

  /// What a catalogue says of it.
  var constant: Value? {
    switch self {
    case .value(let value): value == .null ? nil : value
    case .empty, .perRow: nil
    }
  }
}

extension Value {
  /// The value as a catalogue stores it; nil for null and for what no default can be.
  func columnDefault(_ type: ColumnType) -> [UInt8]? {
    switch self {
    case .null, .link, .object, .list, .map: nil
    case _ where type == .mixed: MixedBytes.withBytes(of: self) { Array($0) }
    case .bool(let value): [value ? 1 : 0]
    case .int(let value): withUnsafeBytes(of: value.littleEndian) { Array($0) }
    case .float, .double, .date, .string, .data, .objectID, .uuid, .decimal128: storedBytes
    }
  }

  /// Reads the default of a column; nil when the bytes are none of the type.
  init?(columnDefault bytes: UnsafeRawBufferPointer, _ type: ColumnType) {
    func fixed<T: BitwiseCopyable>(_ type: T.Type) -> T? {
      bytes.count == MemoryLayout<T>.size ? bytes.loadUnaligned(as: type) : nil
    }
    let value: Value? =
      switch type {
      case .bool: fixed(UInt8.self).flatMap { $0 < 2 ? .bool($0 == 1) : nil }
      case .int: fixed(Int64.self).map { .int(Int64(littleEndian: $0)) }
      case .float: fixed(Float.self).map { .float($0) }
      case .double: fixed(Double.self).map { .double($0) }
      case .date: fixed(Double.self).map { .date($0) }
      case .string: bytes.isUTF8 ? .string(Array(bytes)) : nil
      case .data: .data(Array(bytes))
      case .objectID: fixed(Bytes12.self).map { .objectID($0) }
      case .uuid: fixed(Bytes16.self).map { .uuid($0) }
      case .decimal128: fixed(Bytes16.self).map { .decimal128($0) }
      case .mixed: MixedBytes.isValid(bytes) && MixedBytes.reference(bytes) == nil ? MixedBytes.value(bytes) : nil
      case .link: nil
      }
    guard let value else { return nil }
    self = value
  }
}
