import Firn
import Foundation
import Hummingbird

/// Flights as JSON, and their changes as Server-Sent Events.
///
/// | route | answer |
/// |---|---|
/// | `GET /flights?delay=30` | flights that are at least so late, and a token |
/// | `GET /flights/live?delay=30&after=token` | their changes, see ``LiveFlights`` |
/// | `GET /flights/:id` | the flight, or 404 |
/// | `PUT /flights/:id` | adds or changes a flight; what the body leaves out stays |
/// | `DELETE /flights/:id` | 204, or 404 |
public struct FlightRoutes: Sendable {
  let store: RealmStore
  /// What is sent to clients that hear of nothing else, so that they and proxies see that the connection is alive.
  let heartbeat: Duration

  public init(_ store: RealmStore, heartbeat: Duration = .seconds(15)) {
    self.store = store
    self.heartbeat = heartbeat
  }

  public func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("flights") { request, _ in try json(flights(request)) }
    router.get("flights/live") { request, _ in try live(request) }
    router.get("flights/:id") { _, context in try json(flight(context.parameters.require("id"))) }
    router.put("flights/:id") { request, context in
      try await json(put(context.parameters.require("id"), request))
    }
    router.delete("flights/:id") { _, context in
      try await delete(context.parameters.require("id"))
      return HTTPResponse.Status.noContent
    }
    return router
  }

  // MARK: Reading

  private func flights(_ request: Request) throws -> FlightsAnswer {
    let delay = try minimumDelay(request)
    let realm = store.freeze()
    let flights = realm.objects(Flight.self).where { $0.delay >= delay }.sorted(by: \.id)
    return FlightsAnswer(flights: flights.map { FlightAnswer($0) }, token: realm.resumeToken.description)
  }

  private func flight(_ id: String) throws -> FlightAnswer {
    guard let flight = store.freeze().object(ofType: Flight.self, forPrimaryKey: id) else {
      throw HTTPError(.notFound, message: "There is no flight '\(id)'.")
    }
    return FlightAnswer(flight)
  }

  private func live(_ request: Request) throws -> Response {
    let delay = try minimumDelay(request)
    let given = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map { String($0) }
    let changes = store.resumableChanges(after: given.flatMap { ResumeToken($0) }) { realm in
      realm.objects(Flight.self).where { $0.delay >= delay }
    }
    return LiveFlights(changes: changes, heartbeat: heartbeat).response(to: request)
  }

  private func minimumDelay(_ request: Request) throws -> Int {
    guard let text = request.uri.queryParameters["delay"] else { return .min }
    guard let delay = Int(text) else { throw HTTPError(.badRequest, message: "delay: '\(text)' is not a number.") }
    return delay
  }

  // MARK: Writing

  private func put(_ id: String, _ request: Request) async throws -> FlightAnswer {
    let body = try await request.body.collect(upTo: 64 << 10)
    guard var values = try? JSONSerialization.jsonObject(with: Data(buffer: body)) as? [String: Any] else {
      throw HTTPError(.badRequest, message: "The body has to be a JSON object.")
    }
    values["id"] = id
    let checked = values
    do {
      return try await store.write(author: request.headers[.userAgent] ?? "unknown") { realm in
        FlightAnswer(try realm.create(Flight.self, checking: checked, update: .modified))
      }
    } catch let error as Realm.Error where error.code == .invalidInput {
      throw HTTPError(.badRequest, message: error.localizedDescription)
    }
  }

  private func delete(_ id: String) async throws {
    let wasThere = try await store.write { realm in
      guard let flight = realm.object(ofType: Flight.self, forPrimaryKey: id) else { return false }
      realm.delete(flight)
      return true
    }
    if !wasThere { throw HTTPError(.notFound, message: "There is no flight '\(id)'.") }
  }

  private func json(_ answer: some Encodable) throws -> Response {
    let data = try JSONEncoder().encode(answer)
    return Response(
      status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: ByteBuffer(data: data)))
  }
}
