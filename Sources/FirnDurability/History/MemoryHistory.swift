package import FirnEngine

/// Keeps the commits of a graph in memory, encoded as in a journal, the newest of them.
package final class MemoryHistory: CommitLog {
  private struct Entry {
    let version: UInt64
    let note: CommitNote
    let stamp: UInt64
    let payload: [UInt8]

    /// What it takes, roughly.
    var byteCount: Int { payload.count + note.byteCount + 128 }
  }

  private struct State {
    var entries: [Entry] = []
    /// Entries before this place are gone; they are removed now and then.
    var first = 0
    var byteCount = 0
    /// The version before the first entry.
    var start: UInt64 = 1
    var last: UInt64 = 1
  }

  private let map: CatalogueMap
  private let byteCountMax: Int
  private let nanosecondsMax: UInt64?
  private let clock: StoreClock
  private let state = Guarded(State())
  private let storeID = StoreID.random()

  /// - Parameters:
  ///   - map: Of a graph at its first version.
  ///   - byteCountMax: What is kept at most.
  ///   - nanosecondsMax: The greatest age of what is given out; nil for any. What is older goes when somebody writes or
  ///     reads.
  package init(map: CatalogueMap, byteCountMax: Int, nanosecondsMax: UInt64?, clock: StoreClock = .system) {
    self.map = map
    self.byteCountMax = byteCountMax
    self.nanosecondsMax = nanosecondsMax
    self.clock = clock
  }

  /// The schema and the map of a graph for an application's tables.
  package static func shape(of schema: [TableDescription]) throws -> (schema: [TableDescription], map: CatalogueMap) {
    let merge = try Catalogue().merging(schema: schema)
    return (merge.graphSchema, merge.map)
  }

  package func append(_ commit: LoggedCommit) -> CommitLogAnswer {
    var writer = ByteWriter()
    EffectsEncoder.encode(commit, map: map, into: &writer)
    OldValuesEncoder.encode(commit, map: map, into: &writer)
    let entry = Entry(
      version: commit.version, note: commit.note, stamp: clock.uptimeNanoseconds(), payload: writer.array())
    state.withLock { state in
      state.entries.append(entry)
      state.byteCount += entry.byteCount
      state.last = entry.version
      giveUp(&state, now: entry.stamp)
    }
    return .durable
  }

  private func giveUp(_ state: inout State, now: UInt64) {
    while state.first < state.entries.count, isSuperfluous(state.entries[state.first], state, now: now) {
      state.byteCount -= state.entries[state.first].byteCount
      state.start = state.entries[state.first].version
      state.first += 1
    }
    if state.first == state.entries.count || (state.first > 64 && state.first > state.entries.count / 2) {
      state.entries.removeFirst(state.first)
      state.first = 0
    }
  }

  private func isSuperfluous(_ entry: Entry, _ state: State, now: UInt64) -> Bool {
    if state.byteCount > byteCountMax { return true }
    guard let nanosecondsMax else { return false }
    return now - entry.stamp > nanosecondsMax
  }

  /// The same as of a store in files.
  package func historyPage(after start: UInt64, through end: UInt64) throws -> [HistoryCommit] {
    if start >= end { return [] }
    let page: [Entry]? = state.withLock { state in
      giveUp(&state, now: clock.uptimeNanoseconds())
      let entries = state.entries[state.first...]
      var index = entries.startIndex
      if start != state.start {
        guard let known = Self.index(of: start, in: entries) else { return nil }
        index = known + 1
      }
      var page: [Entry] = []
      var byteCount = 0
      while index < entries.endIndex, entries[index].version <= end, byteCount < DurableStore.historyPageByteCount {
        page.append(entries[index])
        byteCount += entries[index].payload.count
        index += 1
      }
      return page
    }
    guard let page, !page.isEmpty else { throw StoreError.historyUnavailable("in memory", after: start) }
    return try page.map { entry in
      let effects = try entry.payload.withUnsafeBytes { try Effects(decoding: $0, map: map, oldValues: .read) }
      return HistoryCommit(version: entry.version, note: entry.note, effects: effects)
    }
  }

  private static func index(of version: UInt64, in entries: ArraySlice<Entry>) -> Int? {
    var low = entries.startIndex
    var high = entries.endIndex
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].version < version { low = middle + 1 } else { high = middle }
    }
    return low < entries.endIndex && entries[low].version == version ? low : nil
  }

  /// The oldest version after which all commits are known.
  package var historyStart: UInt64 {
    state.withLock { state in
      giveUp(&state, now: clock.uptimeNanoseconds())
      return state.start
    }
  }

  /// Which commit a version stands for.
  package func historyPosition(of version: UInt64) -> HistoryPosition? {
    if version > state.withLock({ $0.last }) { return nil }
    return HistoryPosition(storeID: storeID, version: version, mark: 0)
  }
}
