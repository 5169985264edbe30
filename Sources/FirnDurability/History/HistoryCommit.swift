package import FirnEngine

/// A commit of the past.
package struct HistoryCommit: Sendable {
  package let version: UInt64
  package let note: CommitNote
  /// What it did; nil for one that changed nothing but which classes and properties there are.
  package let effects: Effects?

  package init(version: UInt64, note: CommitNote, effects: Effects?) {
    self.version = version
    self.note = note
    self.effects = effects
  }
}

/// Which commit a version number stands for, in which store: numbers are used again after commits were lost with the machine.
package struct HistoryPosition: Hashable, Sendable {
  package let storeID: StoreID
  package let version: UInt64
  /// Tells the part of the journal from others that hold, or held, a commit of that number.
  package let mark: UInt64

  package init(storeID: StoreID, version: UInt64, mark: UInt64) {
    self.storeID = storeID
    self.version = version
    self.mark = mark
  }
}

extension StoreError {
  /// A commit of the past that would take too much memory.
  static func historyBeyondBudget(_ name: String, _ version: UInt64, _ byteCountMax: Int) -> StoreError {
    StoreError(
      .fail,
      "Reading commit \(version) of '\(name)' takes more than \(byteCountMax) bytes of memory. Raise "
        + "Realm.Configuration.expandedByteCountMax, or read the present content instead.", path: name)
  }

  static func historyUnavailable(_ name: String, after version: UInt64) -> StoreError {
    StoreError(
      .historyUnavailable,
      "The history of '\(name)' does not reach back to version \(version). Read the present content instead, and let "
        + "Realm.Configuration.history keep more.", path: name)
  }
}
