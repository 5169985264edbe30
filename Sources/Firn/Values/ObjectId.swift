internal import FirnEngine
public import Foundation

/// Twelve bytes that identify something, without a central place that gives them out.
///
/// An id made by ``generate()`` holds the time, five bytes that the process drew at random, and a counter, so ids of one
/// process grow. As a property without initial value each new object gets a generated one.
///
/// Immutable, and compared byte by byte.
public final class ObjectId: Sendable {
  /// The bytes as they are stored.
  let bytes: Bytes12

  init(_ bytes: Bytes12) { self.bytes = bytes }

  /// Makes the id whose bytes are all zero.
  public convenience init() { self.init(Bytes12(0, 0, 0)) }

  /// Makes the id that a text of 24 hexadecimal digits stands for, of either case.
  ///
  /// Throws ``Realm/Error`` with the code `invalidInput` for any other text.
  public convenience init(string: String) throws {
    var string = string
    guard let bytes = string.withUTF8({ Self.parse(UnsafeRawBufferPointer($0)) }) else {
      throw Realm.Error(
        .invalidInput, "Invalid Object ID string '\(string)': it must be 24 hexadecimal digits, without any prefix.")
    }
    self.init(bytes)
  }

  /// Makes the id that a literal of 24 hexadecimal digits stands for. Traps for any other text.
  public convenience init(_ str: StaticString) {
    guard let bytes = str.withUTF8Buffer({ Self.parse(UnsafeRawBufferPointer($0)) }) else {
      fatalError("Invalid Object ID string '\(str)': it must be 24 hexadecimal digits.")
    }
    self.init(bytes)
  }

  /// Makes an id of given origin: four bytes of seconds, three of the machine, two of the process, then a counter. Of
  /// each number the lowest bytes are taken.
  public convenience init(timestamp: Date, machineId: Int, processId: Int) {
    self.init(
      ObjectIdSource.bytes(
        seconds: ObjectIdSource.seconds(of: timestamp),
        origin: UInt64(truncatingIfNeeded: machineId) << 16 | UInt64(truncatingIfNeeded: processId) & 0xffff,
        counter: ObjectIdSource.nextCounter()))
  }

  /// Makes an id that no other call gives: greater than those made before by this process.
  ///
  /// May be called from any thread.
  public static func generate() -> ObjectId { ObjectId(ObjectIdSource.next()) }

  /// The 24 hexadecimal digits, in lower case.
  public var stringValue: String {
    withUnsafeBytes(of: bytes) { bytes in
      String(unsafeUninitializedCapacity: 24) { text in
        for index in 0..<12 {
          text[2 * index] = Self.digit(bytes[index] >> 4)
          text[2 * index + 1] = Self.digit(bytes[index] & 15)
        }
        return 24
      }
    }
  }

  /// When the id was made, in whole seconds, as its first four bytes tell.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(UInt32(bigEndian: bytes.word0))) }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func parse(_ text: UnsafeRawBufferPointer) -> Bytes12? {
    guard text.count == 24 else { return nil }
    var bytes = Bytes12(0, 0, 0)
    let isSound = withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<12 {
        guard let high = value(text[2 * index]), let low = value(text[2 * index + 1]) else { return false }
        bytes[index] = high << 4 | low
      }
      return true
    }
    return isSound ? bytes : nil
  }
}

extension ObjectId: Comparable, Hashable, CustomStringConvertible {
  /// Whether all bytes are equal.
  public static func == (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.bytes == rhs.bytes }

  /// By bytes, the first one deciding: ids that were made earlier come first.
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool {
    Value.objectID(lhs.bytes).order(to: .objectID(rhs.bytes)) < 0
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// The 24 hexadecimal digits, in lower case.
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// Decodes a single string of 24 hexadecimal digits. Throws `DecodingError` for any other.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var string = try container.decode(String.self)
    guard let bytes = string.withUTF8({ Self.parse(UnsafeRawBufferPointer($0)) }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(string)' is no Object ID: it must be 24 hexadecimal digits.")
    }
    self.init(bytes)
  }

  /// Encodes ``stringValue``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
