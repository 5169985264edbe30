package import ArgumentParser
package import Foundation

/// The options of the departures board, checked as they are read.
package struct BoardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Stop after this many seconds. (default: when the day is over; without a terminal at most 45)", valueName: "n"))
  package var seconds: Double?

  @Option(help: ArgumentHelp("Minutes of the day per second. (default: 90; on a terminal 15)", valueName: "x"))
  package var speed: Double?

  @Option(
    help: ArgumentHelp(
      "Directory with flights.csv, airports.csv, airlines.csv, planes.csv and perhaps weather.csv. (default: the day "
        + "that comes along)",
      valueName: "dir"),
    completion: .directory)
  package var data: String?

  @Option(
    help: ArgumentHelp(
      "File that keeps the board, so that it goes on where it was; beside it are its .journal and its .lock. (default: "
        + "firn-departures/departures.firn in $XDG_STATE_HOME or ~/.local/state; without a terminal none)",
      valueName: "path"),
    completion: .file())
  package var store: String?

  @Option(
    help: ArgumentHelp(
      "Show only flights to airports that lie at most so many kilometres from the one that --of names.",
      valueName: "km"))
  package var within: Double?

  @Option(help: ArgumentHelp("The airport that --within measures from, such as ORD.", valueName: "code"))
  package var of: String?

  @Flag(help: "Keep the board in memory only, as is done without a terminal unless --store is given.")
  package var memory = false

  @Flag(help: "Begin the day anew, whatever the stored board shows.")
  package var restart = false

  @Flag(help: "Print lines, as without a terminal.")
  package var lines = false

  package init() {}

  package func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 86_400) {
      throw ValidationError("--seconds: expected a number above 0, at most 86400 (a day), found \(seconds)")
    }
    if let speed, !(speed > 0 && speed <= 100_000) {
      throw ValidationError("--speed: expected minutes per second above 0, at most 100000, found \(speed)")
    }
    if let within, !(within >= 0 && within <= 20_038) {
      throw ValidationError(
        "--within: expected kilometres from 0 to 20038 (half round the globe), found \(within)")
    }
    if within != nil, of == nil {
      throw ValidationError("--within: expected --of beside it, the airport that distances are measured from")
    }
    if of != nil, within == nil {
      throw ValidationError("--of: expected --within beside it, the kilometres from that airport")
    }
    if memory, store != nil {
      throw ValidationError("--memory: expected no --store beside it, a board is kept either in a file or in memory")
    }
    if let store, store.isEmpty {
      throw ValidationError("--store: expected the path of a file, found nothing")
    }
    if let store, BoardOptions.isDirectory(store) {
      throw ValidationError("--store: expected the path of a file, found the directory \(store)")
    }
    if let data, !BoardOptions.isDirectory(data) {
      throw ValidationError("--data: expected a directory, found none at \(data)")
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  package var directory: URL {
    data.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FlightDay.bundledDirectory
  }

  /// What flights have to lead to; nil for any.
  ///
  /// - Throws: `ValidationError` when the day has no such airport.
  package func vicinity(among airports: [AirportRecord]) throws -> (kilometers: Double, airport: AirportRecord)? {
    guard let within, let of else { return nil }
    guard let airport = airports.first(where: { $0.code == of.uppercased() }) else {
      throw ValidationError("--of: expected the code of an airport in airports.csv, found \"\(of)\"")
    }
    return (within, airport)
  }

  /// A run without a terminal ends by itself, however slow the machine is.
  package func seconds(onTerminal: Bool) -> Double {
    seconds ?? (onTerminal ? .infinity : 45)
  }

  /// On a terminal slow enough to read along; else the whole day, thirty hours with the last landings, in 20 seconds.
  package func minutesPerSecond(onTerminal: Bool) -> Double {
    speed ?? (onTerminal ? 15 : 90)
  }
}
