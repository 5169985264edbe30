/// What a link means for the row that it leads to, when the link or the row that has it goes.
@usableFromInline
package enum LinkKind: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// Nothing: the target stays.
  case nullify
  /// Deleting the row that has the link deletes its targets.
  case cascade
  /// A transaction that deletes the row that has the link, but not its targets, cannot be committed.
  case deny
  /// The row that has the link is the only owner of its targets: they go with the link.
  case embedded
}
