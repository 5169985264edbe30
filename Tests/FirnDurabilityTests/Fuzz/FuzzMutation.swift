/// Changes of bytes that decoders are likely to stumble over.
struct FuzzMutation {
  var random: SeededRandom

  init(_ seed: UInt64) { random = SeededRandom(seed) }

  /// Numbers at which things end or overflow, `old` among them.
  mutating func number(_ old: UInt64 = 0) -> UInt64 {
    switch random.below(14) {
    case 0: 0
    case 1: 1
    case 2: .max
    case 3: old &+ 1
    case 4: old &- 1
    case 5: UInt64(1) << UInt64(random.below(64))
    case 6: (UInt64(1) << UInt64(random.below(64))) &- 1
    case 7: (UInt64(1) << UInt64(random.below(64))) &+ 1
    case 8: old &* 2
    case 9: old / 2
    case 10: UInt64(random.below(300))
    case 11: random.next()
    case 12: random.next() >> UInt64(random.below(64))
    default: old ^ (UInt64(1) << UInt64(random.below(64)))
    }
  }

  /// Changes one to four places. The count stays if it has to.
  mutating func mutate(_ bytes: inout [UInt8], keepsCount: Bool = false) {
    for _ in 0..<[1, 1, 1, 2, 2, 4][random.below(6)] {
      if bytes.isEmpty { return }
      let place = random.below(bytes.count)
      switch random.below(keepsCount ? 6 : 11) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: bytes[place] = [0, 1, 2, 63, 64, 127, 128, 254, 255][random.below(9)]
      case 2: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 3: bytes[place] = bytes[place] &+ (random.chance(50) ? 1 : 255)
      case 4: setFixed(&bytes, place)
      case 5: copy(&bytes, place)
      case 6, 7, 8: setVarint(&bytes, place)
      case 9: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
      default:
        let count = 1 + random.below(8)
        let byte = UInt8(truncatingIfNeeded: number())
        bytes.insert(contentsOf: repeatElement(byte, count: count), at: place)
      }
    }
  }

  /// Puts another number of 2, 4 or 8 bytes in place of the one that stands there.
  private mutating func setFixed(_ bytes: inout [UInt8], _ place: Int) {
    let width = min([2, 4, 8][random.below(3)], bytes.count - place)
    let old = (0..<width).reduce(into: UInt64(0)) { $0 |= UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    let new = number(old)
    for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: new >> UInt64(8 * index)) }
  }

  /// Puts another varint in place of the one that stands there.
  private mutating func setVarint(_ bytes: inout [UInt8], _ place: Int) {
    var end = place
    var old: UInt64 = 0
    while end < bytes.count, end < place + 10 {
      if end - place < 9 { old |= UInt64(bytes[end] & 0x7f) << UInt64(7 * (end - place)) }
      end += 1
      if bytes[end - 1] < 0x80 { break }
    }
    var rest = number(old)
    var varint: [UInt8] = []
    repeat {
      varint.append(UInt8(rest & 0x7f) | (rest >= 0x80 ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    bytes.replaceSubrange(place..<end, with: varint)
  }

  private mutating func copy(_ bytes: inout [UInt8], _ place: Int) {
    let count = min(1 + random.below(16), bytes.count - place)
    let source = random.below(bytes.count - count + 1)
    bytes.replaceSubrange(place..<place + count, with: Array(bytes[source..<source + count]))
  }
}
