internal import Synchronization

/// Counts what the files of a store take in memory, and ends their reading before it is too much: a few bytes of a file can
/// stand for many.
package final class ExpansionBudget: Sendable {
  package let byteCountMax: Int
  private let claimed = Atomic<Int>(0)

  package init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Counts only.
  package static var unlimited: ExpansionBudget { ExpansionBudget(byteCountMax: .max) }

  /// What was claimed so far.
  package var byteCount: Int { claimed.load(ordering: .relaxed) }

  /// Called before memory is allotted.
  func claim(_ byteCount: Int) throws(DecodingError) {
    let before = claimed.load(ordering: .relaxed)
    if byteCount > byteCountMax - before { throw DecodingError(beyondBudget: byteCountMax) }
    claimed.wrappingAdd(byteCount, ordering: .relaxed)
  }

  /// What a store of so many bytes may take unless its owner says otherwise.
  package static func standard(fileByteCount: Int) -> Int {
    max(4 << 30, fileByteCount.multipliedReportingOverflow(by: 1_000).overflow ? .max : fileByteCount * 1_000)
  }
}

extension StoreError {
  /// Files that would take too much memory.
  static func beyondBudget(_ path: String, _ byteCountMax: Int) -> StoreError {
    StoreError(
      .fail,
      "Opening '\(path)' takes more than \(byteCountMax) bytes of memory. If the file is what it should be, raise "
        + "Realm.Configuration.expandedByteCountMax.", path: path)
  }
}
