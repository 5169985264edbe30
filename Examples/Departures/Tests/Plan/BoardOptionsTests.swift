import ArgumentParser
import DeparturePlan
import Foundation
import Testing

@Suite struct BoardOptionsTests {
  private func message(_ arguments: String...) -> String? {
    do {
      _ = try BoardOptions.parse(arguments)
      return nil
    } catch {
      return BoardOptions.message(for: error)
    }
  }

  @Test func defaultsShowTheBundledDay() throws {
    let options = try BoardOptions.parse([])
    #expect(options.seconds(onTerminal: true) == .infinity)
    #expect(options.seconds(onTerminal: false) < 60)
    #expect(options.minutesPerSecond(onTerminal: false) > options.minutesPerSecond(onTerminal: true))
    #expect(options.directory == FlightDay.bundledDirectory)
    #expect(FileManager.default.fileExists(atPath: options.directory.appendingPathComponent("flights.csv").path))
  }

  @Test func readsEveryOption() throws {
    let options = try BoardOptions.parse(["--seconds", "2.5", "--speed", "60", "--data", "/tmp"])
    #expect(options.seconds(onTerminal: false) == 2.5)
    #expect(options.minutesPerSecond(onTerminal: true) == 60)
    #expect(options.directory.path == "/tmp")
  }

  @Test func flightsMayLeadToWhatIsNearAnAirport() throws {
    let airports = try FlightDay(directory: FlightDay.bundledDirectory).airports
    #expect(try BoardOptions.parse([]).vicinity(among: airports) == nil)
    let vicinity = try BoardOptions.parse(["--within", "500", "--of", "ord"]).vicinity(among: airports)
    #expect(vicinity?.kilometers == 500 && vicinity?.airport.city == "Chicago")
    #expect(message("--within", "500")?.hasPrefix("--within: expected --of beside it") == true)
    #expect(message("--of", "ORD")?.hasPrefix("--of: expected --within beside it") == true)
    for value in ["-1", "nan", "20039"] {
      #expect(message("--within=\(value)", "--of", "ORD")?.hasPrefix("--within: expected kilometres") == true)
    }
    let unknown = try BoardOptions.parse(["--within", "500", "--of", "XYZ"])
    let error = #expect(throws: ValidationError.self) { _ = try unknown.vicinity(among: airports) }
    #expect(error?.message == "--of: expected the code of an airport in airports.csv, found \"XYZ\"")
  }

  @Test func refusesAStoreInMemory() {
    #expect(message("--memory", "--store", "/tmp/x")?.hasPrefix("--memory: expected no --store beside it") == true)
    #expect(message("--store", "")?.hasPrefix("--store: expected the path of a file") == true)
    #expect(message("--store", "/tmp") == "--store: expected the path of a file, found the directory /tmp")
  }

  @Test(arguments: ["0", "-1", "nan", "inf", "86401"])
  func refusesSecondsOutOfRange(value: String) {
    #expect(message("--seconds=\(value)")?.hasPrefix("--seconds: expected a number above 0") == true)
  }

  @Test(arguments: ["0", "-3", "nan", "1e9"])
  func refusesSpeedOutOfRange(value: String) {
    #expect(message("--speed=\(value)")?.hasPrefix("--speed: expected minutes per second above 0") == true)
  }

  @Test func refusesWhatIsNoNumber() {
    #expect(message("--speed", "fast")?.contains("'fast'") == true)
  }

  @Test func refusesAMissingDirectory() {
    #expect(message("--data", "/nowhere") == "--data: expected a directory, found none at /nowhere")
  }
}
