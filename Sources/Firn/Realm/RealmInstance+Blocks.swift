internal import CFirn
internal import FirnEngine

/// What became of a write block.
struct BlockOutcome<Result> {
  let result: Result
  /// Whether the block left it to its caller to commit.
  let didCommit: Bool
  /// The version that has to become durable yet, if there is one.
  let pending: UInt64?
}

extension RealmInstance {
  /// Starts a transaction, runs a block in it, and commits; when something throws, all is undone. The caller has the
  /// writer's role, and leaves it.
  ///
  /// Nothing of what the block returned is left when this returns, unless it is the result.
  ///
  /// - Parameter finish: What to make of the block's result, at the version that was committed.
  func runBlock<Output, Result>(
    _ note: CommitNote, _ block: (Realm) throws -> Output, _ finish: (Output) -> Result
  ) throws -> BlockOutcome<Result> {
    startWriting()
    let output: Output
    do {
      output = try block(Realm(self))
    } catch {
      if isInWriteTransaction { endByCancelling() }
      throw error
    }
    // It may have ended the transaction by itself.
    guard isInWriteTransaction else {
      return BlockOutcome(result: finish(output), didCommit: false, pending: nil)
    }
    let pending = try startCommit(note)
    return BlockOutcome(result: finish(output), didCommit: true, pending: pending)
  }

  /// Makes a realm that nobody else refers to the calling thread's, at the tip. The caller has the writer's role.
  func wakeForWriteBlock() {
    let tip = store.graph.holdTip()
    version = tip
    owner = firn_thread_pointer()
    context.storeBytes(of: owner, as: UnsafeMutableRawPointer?.self)
    setHomeRoot(tip.root)
    RealmContext.setAwayRoot(context, tip.root)
    bumpEpoch()
    isBlockOver = false
  }

  /// Lets the version go until the realm is used again. Nobody else refers to it.
  func sleepAfterWriteBlock() {
    dropFrozen()
    version = nil
  }
}
