internal import FirnDurability
internal import FirnEngine
internal import Foundation

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

  /// The threads on which the past of a store is read, by all who ask for it: so few that those who write keep most of
  /// the processors, however many read. Each has one file open at a time.
  static var historyThreadCountMax: Int { max(1, min(4, ProcessInfo.processInfo.activeProcessorCount / 2)) }

  /// Reads some of the past, a page or about as much: whoever wants more asks again, behind all others who wait.
  func readingPast<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let isCancelled = Lock(false)
    do {
      return try await withTaskCancellationHandler {
        try await historyThreads.run {
          if isCancelled.withLock({ $0 }) { throw CancellationError() }
          return try body()
        }
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
    } catch let error as StoreError {
      throw Realm.Error(error)
    }
  }

  /// Calls `body` with the oldest commits that are known, as many as fill a page; with none at `end`.
  func firstHistoryPage<Result: Sendable>(
    through end: UInt64, _ body: @escaping @Sendable ([HistoryCommit]) -> Result
  ) async throws -> Result {
    var start = try await historyStart(through: end)
    while true {
      do {
        return try await readingPast { [start] in body(try self.historyPage(after: start, through: end)) }
      } catch let error as Realm.Error where error.code == .historyUnavailable {
        // What was the oldest may have been given up meanwhile.
        let next = try await historyStart(through: end)
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

  /// The oldest version after which all commits are known.
  private func historyStart(through end: UInt64) async throws -> UInt64 {
    guard let durable else { return min(memoryHistory?.historyStart ?? end, end) }
    var search = HistorySearch()
    while !search.isOver { search = try await readingPast { [search] in try durable.goOn(search, through: end) } }
    return search.start
  }
}
