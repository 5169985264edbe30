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

  /// The day that comes with the example.
  package static var bundledDirectory: URL {
    Bundle.module.bundleURL.appendingPathComponent("Data", isDirectory: true)
  }

  /// Reads airports.csv, airlines.csv, planes.csv and flights.csv.
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
  }
}
