extension Writer {
  /// Starts to write `version` on top of `root`.
  func begin(version: UInt64, root: Block) {
    self.version = version
    self.root = root
    store.beginTransaction(version: version)
  }

  /// Makes the commit of the running transaction fail. Whoever commits has to look at ``refusal``; the first reason stays.
  package func refuseCommit(_ reason: String) { store.refuseCommit(reason) }

  /// Finishes the next version and forgets what the transaction kept. The store still lists the retired blocks.
  func finish() {
    for table in activeTables { reset(table) }
    activeTables.removeAllInPlace()
    if !denials.isEmpty { denials = [] }
    forgetLastCluster()
    keepsReleasedCollections = false
    isReplaying = false
    touchLogCount = 0
    version = 0
  }

  /// Whether the running transaction has changed nothing at all.
  var wroteNothing: Bool { activePendingLinks.isEmpty && !store.owns(root) }

  /// Frees the blocks that were found to be shown by no version.
  func freeCollected() {
    if freeable.isEmpty { return }
    for block in freeable { store.free(block) }
    freeable.removeAllInPlace(keepingAtMost: Self.keptCountMax)
  }

  /// Gives up everything written since `begin`.
  func cancel(to root: Block) {
    for index in activePendingLinks { pendingLinks[index].entries.removeAll() }
    activePendingLinks.removeAll(keepingCapacity: true)
    releasedCollections.removeAll()
    cancelOrdered()
    finish()
    store.rollback()
    self.root = root
    didMoveClusters()
  }

  /// Lists of a transaction that were longer give their memory back.
  private static var keptCountMax: Int { 4096 }

  private func reset(_ table: Int) {
    let state = tables + table
    for record in state.pointee.dirtyRecords { record.deallocate() }
    state.pointee.dirtyClusters.removeAllInPlace(keepingAtMost: Self.keptCountMax)
    state.pointee.dirtyRecords.removeAllInPlace(keepingAtMost: Self.keptCountMax)
    if !state.pointee.deleted.isEmpty { state.pointee.deleted.removeAll(keepingCapacity: false) }
    if !state.pointee.sparseCandidates.isEmpty { state.pointee.sparseCandidates.removeAll(keepingCapacity: true) }
    if !state.pointee.lists.isEmpty { state.pointee.lists.removeAll() }
    state.pointee.touchLog = nil
    state.pointee.touchLogLook = 0
    state.pointee.isActive = false
  }
}
