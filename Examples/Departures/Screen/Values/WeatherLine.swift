/// The last observation at an airport.
package struct WeatherLine: Equatable, Sendable {
  package let airport: String
  /// The figures with their units, the most important first; none before the first observation.
  package let figures: [String]

  package init(airport: String, figures: [String]) {
    self.airport = airport
    self.figures = figures
  }
}
