import Foundation

/// The properties of an ``Item``, as plain values.
struct PlainItem: Equatable, Sendable {
  var name = ""
  var optional: Int?
  var real = 0.0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var flag = false
  var data = PlainData.bytes(Data())
  var numbers: [Int] = []
  var texts: [String] = []
  var tags: Set<String> = []
  var counts: [String: Int] = [:]
  var any = PlainAny.none
  var parent: Int?
  var children: [Int] = []
  var spot: PlainSpot?
  var path: [PlainSpot] = []
}

struct PlainSpot: Equatable, Sendable {
  var x: Int
  var y: Double
  var label: String
}

enum PlainAny: Equatable, Sendable {
  case none
  case number(Int)
  case real(Double)
  case flag(Bool)
  case text(String)
  case list([Int])
  /// A link to the item of a slot.
  case item(Int)
}

/// Bytes, or what they are made from where they are many.
enum PlainData: Equatable, Sendable, CustomStringConvertible {
  case bytes(Data)
  case made(seed: UInt64, byteCount: Int)

  var bytes: Data {
    switch self {
    case .bytes(let bytes): return bytes
    case .made(let seed, let byteCount):
      var random = SeededGenerator(seed: seed)
      var bytes = Data(count: byteCount)
      bytes.withUnsafeMutableBytes { bytes in
        for offset in stride(from: 0, to: byteCount - 7, by: 8) {
          bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
        }
      }
      return bytes
    }
  }

  static func == (lhs: PlainData, rhs: PlainData) -> Bool { lhs.bytes == rhs.bytes }

  var description: String { "\(bytes.count) bytes that begin with \(Array(bytes.prefix(8)))" }
}
