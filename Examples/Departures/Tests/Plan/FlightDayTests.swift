import DeparturePlan
import Foundation
import Testing

@Suite struct FlightDayTests {
  private static let header =
    "id,carrier,number,tailnum,origin,dest,sched_dep,dep,sched_arr,arr,"
    + "dep_delay_min,arr_delay_min,air_time_min,distance_mi,outcome"
  private static let good = [
    "id": "US1", "carrier": "US", "number": "1431", "origin": "EWR", "dest": "CLT", "sched_dep": "2013-07-10T09:00Z",
    "dep": "2013-07-10T08:59Z", "sched_arr": "2013-07-10T10:40Z", "arr": "2013-07-10T10:34Z", "dep_delay_min": "-1",
    "arr_delay_min": "-6", "air_time_min": "79", "distance_mi": "529", "outcome": "arrived",
  ]

  /// The error for a day whose only flight differs from a good one in `fields`.
  private func problem(_ fields: [String: String]) throws -> String? {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let flight = Self.good.merging(fields) { $1 }
    for (name, text) in [
      "airports.csv":
        "iata,name,city,lat,lon,tz\nEWR,Newark,Newark,40.7,-74.2,America/New_York\nCLT,Douglas,Charlotte,35.2,-80.9,X/Y\n",
      "airlines.csv": "carrier,name\nUS,US Airways\n",
      "planes.csv": "tailnum,year,manufacturer,model,seats\n",
      "flights.csv":
        Self.header + "\n" + Self.header.split(separator: ",").map { flight[String($0)] ?? "" }.joined(separator: ",")
        + "\n",
    ] {
      try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    }
    do {
      _ = try FlightDay(directory: directory)
      return nil
    } catch {
      return "\(error)".replacingOccurrences(of: directory.path + "/", with: "")
    }
  }

  @Test func readsAGoodDay() throws {
    #expect(try problem([:]) == nil)
    #expect(try problem(["tailnum": "N1"]) == nil, "a plane may be unknown")
  }

  @Test(arguments: [
    (["number": "12a"], "number: expected a whole number from 1 to 99999, found \"12a\""),
    (["number": ""], "number: expected a whole number, found nothing"),
    (["carrier": "ZZ"], "carrier: expected a code that airlines.csv knows, found \"ZZ\""),
    (["dest": "ZZZ"], "dest: expected a code that airports.csv knows, found \"ZZZ\""),
    (["sched_dep": "09:00"], "sched_dep: expected a UTC time such as 2013-07-10T09:15Z, found \"09:00\""),
    (["sched_arr": "2013-07-10T08:00Z"], "sched_arr: expected a time within two days after sched_dep"),
    (["dep_delay_min": "5"], "dep_delay_min: expected -1, the minutes from sched_dep to dep, found 5"),
    (["arr_delay_min": ""], "arr_delay_min: expected -6, the minutes from sched_arr to arr, found nothing"),
    (["dep": ""], "dep_delay_min: expected nothing, as in dep, found -1"),
    (["air_time_min": "200"], "air_time_min: expected the minutes in the air, no more than from dep to arr"),
    (["outcome": "lost"], "outcome: expected arrived, cancelled or diverted, found \"lost\""),
    (["outcome": "cancelled"], "outcome: expected neither dep nor arr for a cancelled flight"),
    (["outcome": "diverted"], "outcome: expected dep and no arr for a diverted flight"),
    (["dep": "", "dep_delay_min": ""], "outcome: expected dep and arr for a flight that arrived"),
  ])
  func namesTheFieldOfABrokenRow(fields: [String: String], expected: String) throws {
    #expect(try problem(fields) == "flights.csv, line 2, field " + expected)
  }

  @Test func readsWeather() throws {
    let header = "origin,time_hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib\n"
    let rows = try CSVTable((header + "EWR,2013-07-10T04:00:00Z,77,71,82,,6.9,,0.02,,10\n").utf8, file: "w.csv").rows
    #expect(
      try WeatherRecord(rows[0])
        == WeatherRecord(
          airport: "EWR", time: #require(Minute("2013-07-10T04:00Z")), temperature: 77, windSpeed: 6.9, rain: 0.02,
          visibility: 10))
    let broken = try CSVTable((header + "EWR,2013-07-10T04:00Z,,,,,,,,,\n").utf8, file: "w.csv").rows
    let error = #expect(throws: DataError.self) { try WeatherRecord(broken[0]) }
    #expect(error?.field == "time_hour")
  }

  @Test func tellsDaysApart() throws {
    let day = try FlightDay(directory: FlightDay.bundledDirectory)
    #expect(day.signature.hasPrefix("1004 flights, "))
    #expect(try FlightDay(directory: FlightDay.bundledDirectory).signature == day.signature)
  }

  @Test func namesAMissingFile() {
    let directory = URL(fileURLWithPath: "/nowhere", isDirectory: true)
    let error = #expect(throws: DataError.self) { try FlightDay(directory: directory) }
    #expect(error?.file == "/nowhere/airports.csv")
    #expect(error?.problem.hasPrefix("expected a readable file") == true)
  }
}
