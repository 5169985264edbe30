/// A change that was reported.
package struct LogLine: Equatable, Sendable {
  package let time: String
  package let text: String
  /// Which colour it has.
  package let status: DepartureLine.Status

  package init(time: String, text: String, status: DepartureLine.Status) {
    self.time = time
    self.text = text
    self.status = status
  }
}
