internal import FirnDurability
internal import FirnEngine

extension Store {
  /// Which commit the number of a version stands for; nil when that is not known any more.
  ///
  /// A number alone may be that of another commit: in another database, in one that was put back, after a crash that lost
  /// commits, and, in memory, after another opening.
  func historyPosition(of number: UInt64) -> HistoryPosition? {
    durable.map { $0.historyPosition(of: number) } ?? memoryHistory?.historyPosition(of: number)
  }

  /// The same without blocking the caller's thread.
  func historyPositionInTurn(of number: UInt64) async -> HistoryPosition? {
    guard let durable else { return memoryHistory?.historyPosition(of: number) }
    return await durable.historyPositionInTurn(of: number)
  }

  /// The oldest commits that are known, as many as fill a page; empty at `end`. Blocks the thread.
  func firstHistoryPage(through end: UInt64) throws -> [HistoryCommit] {
    var start = try historyStart(through: end)
    while true {
      do {
        return try historyPage(after: start, through: end)
      } catch let error as Realm.Error where error.code == .historyUnavailable {
        // What was the oldest may have been given up meanwhile.
        let next = try historyStart(through: end)
        if next <= start { throw error }
        start = next
      }
    }
  }

  /// The commits after a version, at least one, and as many as fill a page; empty at `end`. Blocks the thread.
  func historyPage(after start: UInt64, through end: UInt64) throws -> [HistoryCommit] {
    do {
      if let durable { return try durable.historyPage(after: start, through: end) }
      if let memoryHistory { return try memoryHistory.historyPage(after: start, through: end) }
    } catch {
      throw Realm.Error.wrapping(error)
    }
    if start == end { return [] }
    throw Realm.Error(
      .historyUnavailable,
      "The database \(configuration.name) keeps no history. Set Configuration.history before it is opened.")
  }

  /// The oldest version after which all commits are known. Blocks the thread.
  func historyStart(through end: UInt64) throws -> UInt64 {
    do {
      if let durable { return try durable.historyStart(through: end) }
    } catch {
      throw Realm.Error.wrapping(error)
    }
    return min(memoryHistory?.historyStart ?? end, end)
  }
}
