internal import Glibc

/// Tells the time.
///
/// Ages of files go by the clock of the machine, which may be wrong and may be set. Anything that lasts a
/// while in one process goes by one that only goes forward.
package struct StoreClock: Sendable {
  /// Nanoseconds since 1970-01-01 00:00 UTC, as the machine believes.
  package var nanosecondsSince1970: @Sendable () -> UInt64
  /// Nanoseconds since some moment; never fewer than before.
  package var uptimeNanoseconds: @Sendable () -> UInt64

  package init(
    nanosecondsSince1970: @escaping @Sendable () -> UInt64, uptimeNanoseconds: @escaping @Sendable () -> UInt64
  ) {
    self.nanosecondsSince1970 = nanosecondsSince1970
    self.uptimeNanoseconds = uptimeNanoseconds
  }

  /// That of the system.
  package static let system = StoreClock(
    nanosecondsSince1970: { UInt64(max(0, read(CLOCK_REALTIME))) }, uptimeNanoseconds: { nanoseconds })

  /// Only goes forward.
  static var nanoseconds: UInt64 { UInt64(read(CLOCK_MONOTONIC)) }

  static var secondsSince1970: Double { Double(read(CLOCK_REALTIME)) / 1e9 }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
