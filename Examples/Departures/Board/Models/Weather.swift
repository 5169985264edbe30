internal import DeparturePlan
package import Firn

/// The last observation at an airport that flights leave from. Everything but the airport is nil before the first.
package class Weather: Object {
  @Persisted(primaryKey: true) package var airport: String
  @Persisted package var time: Date?
  /// Fahrenheit; all figures are in the units of the data.
  @Persisted package var temperature: Double?
  @Persisted package var windDegrees: Int?
  /// Miles per hour.
  @Persisted package var windSpeed: Double?
  @Persisted package var gustSpeed: Double?
  /// Inches in the hour.
  @Persisted package var rain: Double?
  /// Miles.
  @Persisted package var visibility: Double?

  convenience init(airport: String) {
    self.init()
    self.airport = airport
  }

  func update(_ record: WeatherRecord) {
    time = Date(record.time)
    temperature = record.temperature
    windDegrees = record.windDegrees
    windSpeed = record.windSpeed
    gustSpeed = record.gustSpeed
    rain = record.rain
    visibility = record.visibility
  }
}
