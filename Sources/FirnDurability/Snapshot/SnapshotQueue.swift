internal import Dispatch
internal import FirnEngine

/// Hands out the pieces of a base to workers and puts what they made of them in order.
///
/// A worker takes a piece with a ticket, encodes it and gives it back; then it gets all parts that have their place in the
/// file now, because those before them are there, and writes them. At most `windowCount` pieces are under way.
final class SnapshotQueue: Sendable {
  enum Work: Sendable {
    case dictionary(table: Int, column: Int, ByteStrings)
    case group(table: Int, SnapshotRows)
  }

  struct State: Sendable {
    let limits: SnapshotLimits
    var tables: [SnapshotTable]
    var table = 0
    /// The next column whose dictionary is looked at.
    var column = 0
    /// A dictionary that was begun, and how much of it was handed out.
    var dictionary: (values: ByteStrings, rows: Int, bytes: Int)?
    var nextTicket = 0
    var isCancelled = false
    /// Parts that wait for those before them, by ticket.
    var finished: [Int: SnapshotPart] = [:]
    var nextPlaced = 0
    var offset: Int
    var blocks: [SnapshotDirectory.Block] = []
    var rowCounts: [Int]
    var spare: [SnapshotPart] = []
  }

  let catalogue: Catalogue
  private let state: Lock<State>
  /// Counts the pieces that may still be taken.
  private let window: DispatchSemaphore

  /// - Parameter offset: Where the first part goes.
  init(tables: [SnapshotTable], catalogue: Catalogue, offset: Int, limits: SnapshotLimits, windowCount: Int) {
    self.catalogue = catalogue
    state = Lock(
      State(limits: limits, tables: tables, offset: offset, rowCounts: Array(repeating: 0, count: tables.count)))
    // A semaphore must not end below the value it began with, which a cancelled queue would.
    window = DispatchSemaphore(value: 0)
    for _ in 0..<windowCount { window.signal() }
  }

  /// The next piece with its ticket and room for what comes of it; nil when there is none.
  func take() -> (ticket: Int, work: Work, part: SnapshotPart)? {
    window.wait()
    let taken = state.withLock { state -> (Int, Work, SnapshotPart)? in
      guard !state.isCancelled, let work = state.next(catalogue) else { return nil }
      state.nextTicket += 1
      return (state.nextTicket - 1, work, state.spare.popLast() ?? SnapshotPart())
    }
    // Others that wait find the same.
    if taken == nil { window.signal() }
    return taken
  }

  /// Gives back a finished part and returns those that now have their place, which the caller writes.
  func finish(_ part: SnapshotPart, ticket: Int) -> [SnapshotPart] {
    state.withLock { state in
      state.finished[ticket] = part
      var placed: [SnapshotPart] = []
      while let part = state.finished.removeValue(forKey: state.nextPlaced) {
        part.offset = state.offset
        for var block in part.blocks {
          block.offset += state.offset
          state.blocks.append(block)
        }
        state.rowCounts[part.tableIndex] += part.rowCount
        state.offset += part.bytes.count
        state.nextPlaced += 1
        placed.append(part)
      }
      return placed
    }
  }

  /// Takes back a part that was written.
  func recycle(_ part: SnapshotPart) {
    part.removeAll()
    state.withLock { $0.spare.append(part) }
    window.signal()
  }

  /// No more pieces; workers that wait are let go.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    window.signal()
  }

  func result() -> (blocks: [SnapshotDirectory.Block], rowCounts: [Int]) {
    state.withLock { ($0.blocks, $0.rowCounts) }
  }
}

extension SnapshotQueue.State {
  fileprivate mutating func next(_ catalogue: Catalogue) -> SnapshotQueue.Work? {
    while table < tables.count {
      if let values = nextValues() { return .dictionary(table: table, column: column - 1, values) }
      if column < catalogue.tables[table].columns.count {
        column += 1
        if let values = tables[table].source.dictionary(column - 1), !values.lengths.isEmpty {
          dictionary = (values, 0, 0)
        }
        continue
      }
      if let rows = tables[table].source.nextGroup() { return .group(table: table, rows) }
      table += 1
      column = 0
    }
    return nil
  }

  /// The next values of the dictionary that was begun: at most as many as a block takes, and a quarter of the bytes after which
  /// blocks are cut unless a single value has more.
  private mutating func nextValues() -> ByteStrings? {
    guard let (values, begunRow, begunByte) = dictionary else { return nil }
    var (row, byte) = (begunRow, begunByte)
    var result = ByteStrings()
    let start = byte
    while row < values.lengths.count, result.lengths.count < limits.rowCountMax,
      row == begunRow || byte - start + Int(values.lengths[row]) <= limits.cutByteCount / 4
    {
      result.lengths.append(values.lengths[row])
      byte += Int(values.lengths[row])
      row += 1
    }
    result.bytes = Array(values.bytes[start..<byte])
    dictionary = row < values.lengths.count ? (values, row, byte) : nil
    return result
  }
}
