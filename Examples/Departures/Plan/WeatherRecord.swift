/// One row of weather.csv: what a station saw at an airport in an hour. Any figure may be missing.
package struct WeatherRecord: Equatable, Sendable {
  package let airport: String
  package let time: Minute
  /// Fahrenheit, as all figures are in the units of the source.
  package let temperature: Double?
  package let windDegrees: Int?
  /// Miles per hour.
  package let windSpeed: Double?
  package let gustSpeed: Double?
  /// Inches in the hour.
  package let rain: Double?
  /// Miles.
  package let visibility: Double?

  package init(
    airport: String, time: Minute, temperature: Double? = nil, windDegrees: Int? = nil, windSpeed: Double? = nil,
    gustSpeed: Double? = nil, rain: Double? = nil, visibility: Double? = nil
  ) {
    self.airport = airport
    self.time = time
    self.temperature = temperature
    self.windDegrees = windDegrees
    self.windSpeed = windSpeed
    self.gustSpeed = gustSpeed
    self.rain = rain
    self.visibility = visibility
  }
}

extension WeatherRecord {
  package init(_ row: CSVRow) throws {
    airport = try row.text("origin")
    time = try row.minuteWithSeconds("time_hour")
    temperature = try row.optionalNumber("temp", in: -100...150)
    windDegrees = try row.optionalInteger("wind_dir", in: 0...360)
    windSpeed = try row.optionalNumber("wind_speed", in: 0...250)
    gustSpeed = try row.optionalNumber("wind_gust", in: 0...250)
    rain = try row.optionalNumber("precip", in: 0...50)
    visibility = try row.optionalNumber("visib", in: 0...100)
  }
}

extension CSVRow {
  /// A time in the form of weather.csv, which has seconds where flights.csv has none.
  fileprivate func minuteWithSeconds(_ field: String) throws -> Minute {
    let text = try text(field)
    let seconds = ":00Z"
    guard text.count == "2013-07-10T09:00:00Z".count, text.hasSuffix(seconds),
      let minute = Minute(text.dropLast(seconds.count) + "Z")
    else { throw error(field, "expected a UTC time such as 2013-07-10T09:00:00Z, found \"\(text)\"") }
    return minute
  }
}
