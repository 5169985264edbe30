internal import Glibc

/// The time that versions are stamped with: nanoseconds of a clock that only goes forward.
enum Clock {
  /// Precise to some milliseconds, which is enough for the age of a version and costs no look at the hardware.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
