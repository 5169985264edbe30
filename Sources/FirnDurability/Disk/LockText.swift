internal import CFirn

/// The content of a lock file: text for people, and a hint of what is durable.
struct LockText {
  var owner: LockOwner?
  /// Nil when the line is missing, torn or of other content.
  var hint: DurableHint?

  /// More than any lock file has.
  static var byteCountMax: Int { 4_096 }

  /// The beginning of every lock file.
  static var start: String { "firn-lock 1\n" }

  /// Whether these are the first bytes of a lock file, and not of somebody else's: of one that was created just now, of
  /// one that lost its content in a crash, or of one with a text. Gets one byte more than a lock file has.
  static func isOwn(_ bytes: [UInt8]) -> Bool {
    bytes.count <= byteCountMax && bytes.areStart(of: start)
  }

  /// Reads whatever is there; nothing in it is an error.
  init(parsing bytes: [UInt8]) {
    var host: String?
    var processID: Int?
    var started: Int?
    var storeID: StoreID?
    var durable: (version: UInt64, crc: UInt32)?
    for line in bytes.prefix(LockText.byteCountMax).split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      switch words[0] {
      case "host": host = String(words[1])
      case "pid": processID = Int(words[1])
      case "started": started = Int(words[1])
      case "store": storeID = StoreID(words[1])
      case "durable":
        let numbers = words[1].split(separator: " ")
        if numbers.count == 2, numbers[0].utf8.count == 20, numbers[1].utf8.count == 8,
          let version = UInt64(numbers[0]), let crc = UInt32(numbers[1], radix: 16)
        {
          durable = (version, crc)
        }
      default: break
      }
    }
    if let host, let processID, let started {
      owner = LockOwner(host: host, processID: processID, started: started)
    }
    if let storeID, let durable, durable.crc == LockText.crc(storeID, durable.version) {
      hint = DurableHint(storeID: storeID, version: durable.version)
    }
  }

  /// Everything before the line that is rewritten.
  static func head(_ owner: LockOwner, _ storeID: StoreID) -> [UInt8] {
    // A host name with a line break would be somebody else's line.
    let host = String(owner.host.map { $0.isNewline ? "?" : $0 }.prefix(255))
    return Array(
      """
      \(start)host \(host)
      pid \(owner.processID)
      started \(owner.started)
      store \(storeID)

      """.utf8)
  }

  /// The line that is rewritten: always of the same length.
  static func durableLine(_ storeID: StoreID, _ version: UInt64) -> [UInt8] {
    var line = Array("durable 00000000000000000000 00000000\n".utf8)
    var rest = version
    for place in stride(from: 27, through: 8, by: -1) {
      line[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    var crc = crc(storeID, version)
    for place in stride(from: 36, through: 29, by: -1) {
      let digit = UInt8(crc & 15)
      line[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      crc >>= 4
    }
    return line
  }

  static func crc(_ storeID: StoreID, _ version: UInt64) -> UInt32 {
    let words = (storeID.low.littleEndian, storeID.high.littleEndian, version.littleEndian)
    return withUnsafeBytes(of: words) { firn_crc32c(0, $0.baseAddress, $0.count) }
  }
}

/// What a lock file says was durable.
package struct DurableHint: Equatable, Sendable {
  package let storeID: StoreID
  package let version: UInt64
  /// Whether it can only be of the store beside it. If not, it may say how far a copy of that store got.
  package let isProof: Bool

  package init(storeID: StoreID, version: UInt64, isProof: Bool = true) {
    self.storeID = storeID
    self.version = version
    self.isProof = isProof
  }
}
