/// What a writer knows of the one who writes, who caches places in the version that is being written.
///
/// The words belong to the client and outlive the transaction.
package struct WriterClient {
  /// Where the client keeps the epoch of its cached clusters. Grows whenever a cluster that existed before is copied or
  /// rebuilt.
  package var epochWord: UnsafeMutablePointer<UInt64>?
  /// Where the client keeps the root it reads from.
  package var rootWord: UnsafeMutablePointer<UnsafeRawPointer>?
  /// Whether writing the value that is there already is no change.
  package var skipsEqualWrites = false
  /// Told of rows of a graph with owning or denying links before they are deleted, in this table and wherever deleting
  /// leads.
  package var willDelete: ((TableID, [RowKey]) -> Void)?

  package init() {}
}
