import AsyncAlgorithms
import Firn
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Changes as Server-Sent Events.
///
///     event: reset
///     id: 1.0f3a….2a.9c41
///     data: {"flights":[{"id":"LH 400", …}],"token":"1.0f3a….2a.9c41"}
///
///     event: change
///     id: 1.0f3a….2b.9c41
///     data: {"upserted":[{"id":"LH 400", …}],"removed":["BA 7"]}
///
/// Each event stands for everything up to the token in its id. A client that was cut off sends the last id that it has
/// seen as `Last-Event-ID`, which browsers do by themselves, and is told what it missed; or gets another `reset` if
/// that is not known any more.
struct LiveFlights: Sendable {
  let changes: ResumableChangeStream<Flight>
  let heartbeat: Duration

  func response(to request: Request) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        do {
          // Ends with the connection, and when the server shuts down.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for await event in events.cancelOnGracefulShutdown() { try await writer.write(ByteBuffer(string: event)) }
          }
        } catch is CancellationError {}
        try await writer.finish(nil)
      })
  }

  private var events: some AsyncSequence<String, Never> & Sendable {
    let beats = AsyncTimerSequence(interval: heartbeat, clock: .continuous).map { _ in ": still here\n\n" }
    return merge(changes.map { Self.event($0) }, beats)
  }

  private static func event(_ change: ResumableChange<Flight>) -> String {
    let (name, data) =
      switch change {
      case .initial(let flights, let token), .reset(let flights, let token):
        (
          "reset",
          encoded(
            FlightsAnswer(
              flights: flights.withValue { $0.map { FlightAnswer($0) } as [FlightAnswer] }, token: token.description))
        )
      case .resumed(let delta, _), .update(let delta, _):
        (
          "change",
          encoded(
            FlightsDelta(
              upserted: delta.upserted.map { $0.withValue { FlightAnswer($0) } },
              removed: delta.removedKeys.compactMap { if case .string(let id) = $0 { id } else { nil } }))
        )
      }
    return "event: \(name)\nid: \(change.token)\ndata: \(data)\n\n"
  }

  /// JSON in one line.
  private static func encoded(_ value: some Encodable) -> String {
    guard let data = try? JSONEncoder().encode(value) else { fatalError("Numbers and texts have a JSON form.") }
    return String(decoding: data, as: UTF8.self)
  }
}

extension HTTPField.Name {
  /// The last event that a client of Server-Sent Events has seen.
  static let lastEventID = HTTPField.Name("Last-Event-ID").unsafelyUnwrapped
}
