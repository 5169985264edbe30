import Firn
import Flights
import Foundation
import Hummingbird

/// Serves flights on port 8080, or that of `PORT`:
///
///     swift run FlightServer &
///     curl -N localhost:8080/flights/live &
///     curl -X PUT localhost:8080/flights/LH400 -d '{"destination": "JFK", "delay": 40}'
@main
struct FlightServer {
  static func main() async throws {
    let port = ProcessInfo.processInfo.environment["PORT"].flatMap { Int($0) } ?? 8080
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "flights.firn"), objectTypes: [Flight.self])
    // Clients that come back within an hour are told what they missed.
    configuration.history = .init(byteCount: 64 << 20, age: .seconds(3600))
    let store = try await RealmStore.open(configuration)
    let server = Application(
      router: FlightRoutes(store).router(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: "flights"))
    try await server.runService()
    try await store.close()
  }
}
