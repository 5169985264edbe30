internal import FirnEngine
internal import Foundation
internal import Synchronization

/// What generated object ids are made of.
enum ObjectIdSource {
  /// Five bytes that tell this process from others.
  private static let process = UInt64.random(in: 0..<1 << 40)
  /// Seconds since 1970, then 24 bits of counter: the last id made. Begins with any count of second 0.
  private static let last = Atomic<UInt64>(UInt64.random(in: 0..<1 << 23))

  static func next() -> Bytes12 {
    let now = UInt64(seconds(of: Date())) << 24
    var last = last.load(ordering: .relaxed)
    while true {
      // The counter runs on in a new second. Where it starts over, or the clock was put back, seconds run ahead instead.
      let next = max(now | (last + 1) & 0xff_ffff, last + 1)
      let (isExchanged, current) = Self.last.compareExchange(expected: last, desired: next, ordering: .relaxed)
      if isExchanged {
        return bytes(
          seconds: UInt32(truncatingIfNeeded: next >> 24), origin: process, counter: UInt32(next & 0xff_ffff))
      }
      last = current
    }
  }

  /// Three bytes that differ from those of the ids made just before.
  static func nextCounter() -> UInt32 {
    UInt32(last.wrappingAdd(1, ordering: .relaxed).newValue & 0xff_ffff)
  }

  /// The seconds since 1970 that four bytes hold; those of other centuries wrap around.
  static func seconds(of date: Date) -> UInt32 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    return Int64(exactly: seconds).map { UInt32(truncatingIfNeeded: $0) } ?? 0
  }

  /// The most significant byte of each part comes first.
  static func bytes(seconds: UInt32, origin: UInt64, counter: UInt32) -> Bytes12 {
    Bytes12(
      seconds.bigEndian, UInt32(truncatingIfNeeded: origin >> 8).bigEndian,
      (UInt32(truncatingIfNeeded: origin & 0xff) << 24 | counter & 0xff_ffff).bigEndian)
  }
}
