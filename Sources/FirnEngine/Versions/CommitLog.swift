/// Makes commits outlive the process.
///
/// The graph appends every commit before anybody sees it. A log that needs time answers `.pending`: the commit is then
/// the tip, on which the next writer builds, but not the head, which readers see. The log later calls
/// `Graph.didBecomeDurable(through:)`, or `Graph.didLoseDurability(_:)`, from any thread.
package protocol CommitLog: AnyObject, Sendable {
  /// Takes a commit. Called by the writer, in order; must not call back into the graph.
  ///
  /// Throwing cancels the transaction.
  func append(_ commit: LoggedCommit) throws -> CommitLogAnswer
}

package enum CommitLogAnswer: Sendable {
  /// The commit becomes visible at once.
  case durable
  case pending
}

/// What a log gets to know of a commit.
package struct LoggedCommit {
  package let version: UInt64
  package let note: CommitNote
  package let changes: ChangeSet
  /// The content that the commit builds on; valid only during the call.
  package let previous: GraphContents
  /// The content after the commit; valid only during the call.
  package let contents: GraphContents
  let writer: Unmanaged<Writer>

  /// The keys that the commit gave out in a table, also those of rows that it deleted again. Empty at the table's next
  /// key when there are none. Costs nothing; valid only during the call.
  package func newKeys(of table: TableID) -> Range<UInt64> {
    writer._withUnsafeGuaranteedRef { $0.newKeys(of: table) }
  }
}
