import Flights
import Foundation
import Glibc
import Testing

/// A client of the live flights that keeps what it is told, and is cut off after so many bytes.
struct EventClient {
  private(set) var flights: [String: FlightAnswer] = [:]
  private(set) var lastID: String?
  private(set) var resetCount = 0
  private(set) var changeCount = 0
  private(set) var connectionCount = 0
  /// Begins with what was got elsewhere.
  private let start: String?

  init(_ start: FlightsAnswer? = nil) {
    self.start = start?.token
    for flight in start?.flights ?? [] { flights[flight.id] = flight }
  }

  /// Connects, and reads until the connection is cut, nothing came for a while, or `isDone`.
  mutating func follow(
    _ port: Int, query: String = "", cutAfter byteCount: Int = .max,
    until isDone: (EventClient) -> Bool = { _ in false }
  ) throws {
    connectionCount += 1
    let connection = try Connection(port)
    var path = "/flights/live?\(query)"
    if lastID == nil, let start { path += "&after=\(start)" }
    let resuming = lastID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(resuming)\r\n")
    var response = ChunkedResponse()
    var left = byteCount
    while left > 0, !isDone(self), let bytes = connection.read(upTo: min(left, 4096)) {
      left -= bytes.count
      for event in response.events(in: bytes) { try apply(event) }
    }
    if let status = response.status { #expect(status == "HTTP/1.1 200 OK") }
  }

  private mutating func apply(_ event: ChunkedResponse.Event) throws {
    let data = Data(event.data.utf8)
    switch event.name {
    case "reset":
      resetCount += 1
      flights = [:]
      let answer = try JSONDecoder().decode(FlightsAnswer.self, from: data)
      #expect(answer.token == event.id)
      for flight in answer.flights { flights[flight.id] = flight }
    case "change":
      changeCount += 1
      let delta = try JSONDecoder().decode(FlightsDelta.self, from: data)
      for flight in delta.upserted { flights[flight.id] = flight }
      for id in delta.removed { flights[id] = nil }
    default: Issue.record("An event \(event.name)")
    }
    lastID = event.id
  }
}

/// Runs what blocks on a thread of its own: those of tasks are for the server.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// A connection of a socket that is closed with it.
final class Connection {
  private let socket: Int32

  struct Failure: Error {
    let call: String
    let number = errno
  }

  init(_ port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if socket < 0 { throw Failure(call: "socket") }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { throw Failure(call: "connect") }
  }

  deinit { close(socket) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    if Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count {
      throw Failure(call: "send")
    }
  }

  /// Nil at the end, and when nothing came for a while.
  func read(upTo count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = recv(socket, &bytes, count, 0)
    return got > 0 ? Array(bytes.prefix(got)) : nil
  }
}

/// Takes an answer in chunks apart, however it arrives.
struct ChunkedResponse {
  struct Event {
    var name = ""
    var id = ""
    var data = ""
  }

  private(set) var status: String?
  private var isInBody = false
  /// Bytes that are missing of the chunk, with the line end behind it.
  private var chunkLeft = 0
  private var line: [UInt8] = []
  private var eventLine: [UInt8] = []
  private var event = Event()

  mutating func events(in bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      if chunkLeft > 2 {
        chunkLeft -= 1
        if let event = take(byte) { events.append(event) }
      } else if chunkLeft > 0 {
        chunkLeft -= 1
      } else if byte == UInt8(ascii: "\n") {
        endLine()
      } else if byte != UInt8(ascii: "\r") {
        line.append(byte)
      }
    }
    return events
  }

  /// A line of the head, or the length of a chunk.
  private mutating func endLine() {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    if isInBody {
      chunkLeft = (Int(text, radix: 16) ?? 0) + 2
    } else if text.isEmpty {
      isInBody = true
    } else if status == nil {
      status = text
    }
  }

  private mutating func take(_ byte: UInt8) -> Event? {
    if byte != UInt8(ascii: "\n") {
      eventLine.append(byte)
      return nil
    }
    let text = String(decoding: eventLine, as: UTF8.self)
    eventLine = []
    if text.isEmpty {
      defer { event = Event() }
      return event.name.isEmpty ? nil : event
    }
    for (name, field) in [("event: ", \Event.name), ("id: ", \Event.id), ("data: ", \Event.data)]
    where text.hasPrefix(name) {
      event[keyPath: field] = String(text.dropFirst(name.count))
    }
    return nil
  }
}
