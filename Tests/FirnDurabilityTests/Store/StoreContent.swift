import FirnDurability
import FirnEngine
import TestSupport

/// All rows of a version, so that equal means the same keys with the same values stored alike, however columns are
/// ordered: a program's schema has its own order.
struct StoreContent: Equatable {
  private struct Row: Equatable {
    var key: RowKey
    var cells: [[Value]]
  }

  /// By the names of the tables; those without rows are left out.
  private var tables: [String: [Row]] = [:]

  /// Of an empty store.
  init() {}

  init(_ contents: GraphContents) {
    for table in contents.layout.tables where table.isVisible {
      let id = TableID(table.index)
      let columns = table.descriptions.enumerated().sorted { $0.element.storedName < $1.element.storedName }
      var rows: [Row] = []
      contents.forEachKey(in: id) { key in
        rows.append(
          Row(
            key: key,
            cells: columns.map { cell(contents, ColumnID($0.offset), $0.element, key, id) }))
      }
      if !rows.isEmpty { tables[table.name] = rows }
    }
  }

  var rowCount: Int { tables.values.reduce(0) { $0 + $1.count } }
}

/// A log in front of a store's journal that keeps what the oracle has to know of each commit.
final class ObservingLog: CommitLog {
  struct State {
    /// The next key of each table after the last commit.
    var nextKeys: [UInt64]
    /// A commit that the journal did not take: it may be on the disk all the same.
    var refused: (number: UInt64, content: StoreContent, nextKeys: [UInt64])?
  }

  private let journal: Journal
  /// Whether commits are told to be durable before they are.
  private let publishesEarly: Bool
  let state: Lock<State>

  init(_ journal: Journal, nextKeys: [UInt64], publishesEarly: Bool) {
    self.journal = journal
    self.publishesEarly = publishesEarly
    state = Lock(State(nextKeys: nextKeys))
  }

  func append(_ commit: LoggedCommit) throws -> CommitLogAnswer {
    do {
      let answer = try journal.append(commit)
      state.withLock { $0.nextKeys = self.nextKeys(after: commit, $0.nextKeys) }
      return publishesEarly ? .durable : answer
    } catch {
      let content = StoreContent(commit.contents)
      state.withLock { $0.refused = (commit.version, content, self.nextKeys(after: commit, $0.nextKeys)) }
      throw error
    }
  }

  private func nextKeys(after commit: LoggedCommit, _ before: [UInt64]) -> [UInt64] {
    before.enumerated().map { index, next in
      let keys = commit.newKeys(of: TableID(index))
      return keys.isEmpty ? next : keys.upperBound
    }
  }
}
