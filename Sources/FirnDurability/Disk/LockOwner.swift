internal import Glibc

/// Who holds a store, as far as another process can tell.
package struct LockOwner: Equatable, Sendable {
  package var host: String
  package var processID: Int
  /// Seconds since 1970.
  package var started: Int

  package init(host: String, processID: Int, started: Int) {
    self.host = host
    self.processID = processID
    self.started = started
  }

  /// This process, from now on.
  package static func current() -> LockOwner {
    let host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      buffer.initialize(repeating: 0)
      // The last byte stays zero.
      return gethostname(buffer.baseAddress.unsafelyUnwrapped, 255) == 0
        ? String(cString: buffer.baseAddress.unsafelyUnwrapped) : "unknown"
    }
    return LockOwner(host: host, processID: Int(getpid()), started: Int(time(nil)))
  }

  /// `started` in words.
  var startedText: String {
    var seconds = time_t(started)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "\(started) seconds after 1970" }
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(parts.tm_year) + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday)) "
      + "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) UTC"
  }
}
