package import Foundation

package struct AirportRecord: Sendable {
  package let code: String
  package let name: String
  package let city: String
  package let latitude: Double
  package let longitude: Double
  package let timeZone: String

  init(_ row: CSVRow) throws {
    code = try row.text("iata")
    name = try row.text("name")
    city = try row.text("city")
    latitude = try row.number("lat", in: -90...90)
    longitude = try row.number("lon", in: -180...180)
    timeZone = try row.text("tz")
  }
}

package struct AirlineRecord: Sendable {
  package let code: String
  package let name: String

  init(_ row: CSVRow) throws {
    code = try row.text("carrier")
    name = try row.text("name")
  }
}

package struct PlaneRecord: Sendable {
  package let tailNumber: String
  package let manufacturer: String
  package let model: String
  package let year: Int?
  package let seatCount: Int

  init(_ row: CSVRow) throws {
    tailNumber = try row.text("tailnum")
    manufacturer = try row.text("manufacturer")
    model = try row.text("model")
    year = try row.optionalInteger("year", in: 1900...2100)
    seatCount = try row.integer("seats", in: 1...1_000)
  }
}

/// The data of one day: flights and what they refer to.
///
/// Checked on reading: keys are unique, every flight's airline and airports are known, and there is at least one
/// flight. Planes may be unknown, as in the registry extract.
package struct FlightDay: Sendable {
  package let airports: [AirportRecord]
  package let airlines: [AirlineRecord]
  package let planes: [PlaneRecord]
  package let flights: [FlightRecord]
  /// In order of time; empty where nobody wrote the weather down.
  package let weather: [WeatherRecord]

  /// The day that comes with the example.
  package static var bundledDirectory: URL {
    Bundle.module.bundleURL.appendingPathComponent("Data", isDirectory: true)
  }

  /// Reads airports.csv, airlines.csv, planes.csv, flights.csv and, where there is one, weather.csv.
  package init(directory: URL) throws {
    func records<Record>(
      _ name: String, key: String, _ read: (CSVRow) throws -> Record
    ) throws -> (records: [Record], keys: Set<String>) {
      let table = try CSVTable(contentsOf: directory.appendingPathComponent(name))
      var keys: Set<String> = []
      let records = try table.rows.map { row in
        let value = try row.text(key)
        guard keys.insert(value).inserted else {
          throw row.error(key, "expected each value once, found \(value) again")
        }
        return try read(row)
      }
      return (records, keys)
    }

    let airports = try records("airports.csv", key: "iata", AirportRecord.init)
    let airlines = try records("airlines.csv", key: "carrier", AirlineRecord.init)
    self.airports = airports.records
    self.airlines = airlines.records
    planes = try records("planes.csv", key: "tailnum", PlaneRecord.init).records
    flights = try records("flights.csv", key: "id") { row in
      let flight = try FlightRecord(row)
      for (field, code, known, file) in [
        ("carrier", flight.carrier, airlines.keys, "airlines.csv"),
        ("origin", flight.origin, airports.keys, "airports.csv"),
        ("dest", flight.destination, airports.keys, "airports.csv"),
      ] where !known.contains(code) {
        throw row.error(field, "expected a code that \(file) knows, found \"\(code)\"")
      }
      return flight
    }.records
    guard !flights.isEmpty else {
      let file = directory.appendingPathComponent("flights.csv").path
      throw DataError(file: file, problem: "expected at least one flight, found only the header")
    }
    weather = try FlightDay.weather(in: directory, airports: airports.keys)
  }

  private static func weather(in directory: URL, airports: Set<String>) throws -> [WeatherRecord] {
    let file = directory.appendingPathComponent("weather.csv")
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let records = try CSVTable(contentsOf: file).rows.map { row in
      let record = try WeatherRecord(row)
      guard airports.contains(record.airport) else {
        throw row.error("origin", "expected a code that airports.csv knows, found \"\(record.airport)\"")
      }
      return record
    }
    return records.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// The airports that flights leave from, in the order of their codes.
  package var origins: [String] { Set(flights.map(\.origin)).sorted() }

  /// Tells this day from others, for a store that outlives the program: two days with one signature have the same
  /// events at the same places of the replay.
  package var signature: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for flight in flights {
      for byte in "\(flight)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return "\(flights.count) flights, \(String(hash, radix: 16))"
  }
}
