/// Which departures the board shows, and in which order.
package struct BoardSelection: Equatable, Sendable {
  package enum Order: String, CaseIterable, Sendable {
    case time, delay, airline, destination
  }

  /// Codes; nil for all.
  package var airport: String?
  package var airline: String?
  package var order = Order.time

  package init(airport: String? = nil, airline: String? = nil, order: Order = .time) {
    self.airport = airport
    self.airline = airline
    self.order = order
  }
}
