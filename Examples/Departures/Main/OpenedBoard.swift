import DepartureBoard
import DeparturePlan
import Foundation

/// A board that is ready to go on: its store is open and knows the day.
@MainActor
struct OpenedBoard {
  let store: BoardStore
  let replay: Replay
  let start: ReplayStart
  let clock: BoardClock
  let vicinity: Vicinity?

  init(_ options: BoardOptions, _ location: StoreLocation) throws {
    let day = try FlightDay(directory: options.directory)
    let origin = day.airports.first { $0.code == day.flights[0].origin }
    vicinity = try options.vicinity(among: day.airports).flatMap { Vicinity(kilometers: $0.kilometers, of: $0.airport) }
    clock = BoardClock(timeZone: origin?.timeZone ?? "GMT")
    let isAnew = options.restart
    (store, replay, start) = try MainLoop.result {
      let store = try await BoardStore.open(location)
      let replay = Replay(day, store: store.store)
      return (store, replay, try await replay.prepare(isAnew: isAnew))
    }
  }

  /// What was found in the store, for the user, a sentence a line; nil for a board that begins with nothing.
  var recovery: String? {
    let found: String? =
      switch start {
      case .newDay: nil
      case .again: "The stored day was over, so it begins again."
      case .resumed(let stepCount, let moment, _):
        "The board goes on at \(clock.text(moment)), after step \(stepCount) of \(replay.stepCount)."
      }
    let sentences = [found, store.recovery].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// Closes the board and its store. Nothing may be writing any more.
  func close() throws {
    let store = store
    try MainLoop.result { try await store.close() }
  }
}
