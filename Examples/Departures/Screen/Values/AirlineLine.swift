/// How late an airline is.
package struct AirlineLine: Equatable, Sendable {
  package let code: String
  package let name: String
  package let departureCount: Int
  package let averageDelayMinutes: Int

  package init(code: String, name: String, departureCount: Int, averageDelayMinutes: Int) {
    self.code = code
    self.name = name
    self.departureCount = departureCount
    self.averageDelayMinutes = averageDelayMinutes
  }
}
