/// Finds the keys in what a terminal sends, however the bytes are cut into reads.
///
/// The key Escape sends the byte that also begins the sequences of other keys. Which of the two it was shows by what
/// follows, or by nothing following: whoever reads calls ``finish()`` when `isWaiting` and nothing came for a moment.
package struct KeyDecoder: Sendable {
  private enum State: Equatable {
    case ground
    case escape
    /// After `ESC [`, with the bytes since.
    case sequence([UInt8])
    /// After `ESC O`.
    case applicationKey
    /// After `ESC [ [`, as the Linux console sends for function keys.
    case consoleKey
    /// Inside a character of several bytes, of which some are missing.
    case character([UInt8], missing: Int)
  }

  private var state = State.ground

  /// No key has a longer sequence; what is longer is not kept.
  private static let sequenceLengthMax = 32

  package init() {}

  /// Whether a key may have been begun and not finished.
  package var isWaiting: Bool { state != .ground }

  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { decode(byte, into: &keys) }
    return keys
  }

  /// Takes what came so far for all there is.
  package mutating func finish() -> Key? {
    defer { state = .ground }
    return state == .escape ? .escape : nil
  }

  private mutating func decode(_ byte: UInt8, into keys: inout [Key]) {
    switch state {
    case .ground:
      begin(byte, into: &keys)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .applicationKey
      case 0x1B: keys.append(.escape)
      default: state = .ground  // Alt with another key, which means nothing here
      }
    case .sequence(let bytes):
      continueSequence(bytes, byte, into: &keys)
    case .applicationKey:
      state = .ground
      if let key = KeyDecoder.cursorKey(byte) { keys.append(key) }
    case .consoleKey:
      state = .ground
    case .character(let bytes, let missing):
      continueCharacter(bytes, missing, byte, into: &keys)
    }
  }

  private mutating func begin(_ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    default: break
    }
  }

  private mutating func continueSequence(_ bytes: [UInt8], _ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case UInt8(ascii: "[") where bytes.isEmpty:
      state = .consoleKey
    case 0x20...0x3F:
      if bytes.count < KeyDecoder.sequenceLengthMax { state = .sequence(bytes + [byte]) }
    case 0x40...0x7E:
      state = .ground
      if let key = KeyDecoder.key(parameters: bytes, final: byte) { keys.append(key) }
    default:
      state = .ground
      decode(byte, into: &keys)
    }
  }

  private mutating func continueCharacter(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8, into keys: inout [Key]) {
    guard (0x80...0xBF).contains(byte) else {
      state = .ground
      decode(byte, into: &keys)
      return
    }
    let bytes = bytes + [byte]
    guard missing == 1 else {
      state = .character(bytes, missing: missing - 1)
      return
    }
    state = .ground
    if let text = String(validating: bytes, as: UTF8.self), let character = text.first {
      keys.append(.character(character))
    }
  }

  private static func cursorKey(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  private static func key(parameters: [UInt8], final: UInt8) -> Key? {
    guard final == UInt8(ascii: "~") else { return cursorKey(final) }
    switch parameters.prefix(while: { $0 != UInt8(ascii: ";") }) {
    case [UInt8(ascii: "1")], [UInt8(ascii: "7")]: return .home
    case [UInt8(ascii: "4")], [UInt8(ascii: "8")]: return .end
    case [UInt8(ascii: "5")]: return .pageUp
    case [UInt8(ascii: "6")]: return .pageDown
    default: return nil
    }
  }
}
