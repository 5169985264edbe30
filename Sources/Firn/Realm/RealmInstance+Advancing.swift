internal import CFirn
internal import FirnEngine

/// Moving from version to version.
extension RealmInstance {
  /// Whether there is a version that the realm does not show yet.
  var canAdvance: Bool { store.graph.head != version.unsafelyUnwrapped.number }

  /// Shows another version from now on.
  func advance(to new: Version) {
    if new.number == version.unsafelyUnwrapped.number { return }
    bumpEpoch()
    show(new, mayLoseRows: true)
  }

  /// Shows a version to all threads, once no thread looks at the one before without holding it.
  ///
  /// - Parameters:
  ///   - mayLoseRows: Whether rows of the version before may be gone.
  ///   - onlyMadeAway: Whether their accessors have got last values already, but for those that other threads have made.
  func show(_ new: Version, mayLoseRows: Bool, onlyMadeAway: Bool = false) {
    if mayLoseRows { RealmContext.setAdvancing(context, true) }
    RealmContext.setAwayRoot(context, new.root)
    firn_reader_wait(UInt64(UInt(bitPattern: context)))
    if mayLoseRows {
      Version.withContents(of: version.unsafelyUnwrapped, new) {
        keepLastValues(from: $0, to: $1, onlyMadeAway: onlyMadeAway)
      }
    }
    setHomeRoot(new.root)
    version = new
    if mayLoseRows { RealmContext.setAdvancing(context, false) }
    dropFrozen()
    tracking?.fold(to: new)
  }

  /// Whether nothing was read, observed or written since the realm was opened, so that it may show any version.
  var isUntouched: Bool {
    !hasChosenVersion && !isFrozen && writer == nil && notifications == nil && asyncWrites == nil && handles.isEmpty
  }

  /// What the home thread reads from now on.
  func setHomeRoot(_ root: UnsafeRawPointer) {
    context.storeBytes(of: root, toByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
  }

  func bumpEpoch() { RealmContext.word(context, RealmContext.epochOffset).pointee &+= 1 }

  /// Copies the rows of live accessors that are in `old` but not in `new`.
  func keepLastValues(
    from old: GraphContents, to new: GraphContents, evenWithoutDeletions: Bool = false, onlyMadeAway: Bool = false
  ) {
    for index in 0..<handles.count {
      guard let handle = handles[index], handle.accessors.count > 0 else { continue }
      if !handle.accessors.takeWereMadeAway(), onlyMadeAway { continue }
      let table = handle.table
      // Deletions of rows that `old` has not count as well; less than none are those that were reversed.
      let deletionCount = Int(
        truncatingIfNeeded: TableRoot.deletionCount(new.tableRoot(table))
          &- TableRoot.deletionCount(old.tableRoot(table)))
      if !evenWithoutDeletions, deletionCount == 0 { continue }
      handle.accessors.setLastValues(
        from: old, to: new, table, deletionCount: evenWithoutDeletions ? nil : deletionCount)
    }
  }

  /// Copies rows that are about to be deleted for their live accessors.
  func keepLastValues(of keys: [RowKey], in table: TableID, _ contents: GraphContents) {
    withLiveAccessors(table.index) { $0.setLastValues(of: keys, in: contents, table) }
    tracking?.willDelete(keys, in: table)
  }

  /// Called on any thread after somebody else committed.
  func headDidChange() {
    let isFirst = pending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
    guard isFirst else { return }
    // Perhaps nobody ever serves the run loop or queue.
    let scheduled = confinement.schedule { [weak store, number] in store?.openRealm(number)?.advanceAndNotify() }
    if !scheduled { pending.withLock { $0 = false } }
  }

  /// The scheduled part of autorefresh. Runs where the realm is confined.
  private func advanceAndNotify() {
    pending.withLock { $0 = false }
    if writer != nil { return }
    if let notifications, notifications.keepsVersion { return notifications.miss(.commit) }
    if autorefresh { _ = refresh() } else { notifications?.didBecomeStale() }
  }

  /// Shows the newest version and delivers what observers have not seen. True when the version changed.
  @discardableResult
  func refresh() -> Bool {
    if isFrozen || writer != nil || isBlockOver { return false }
    if let notifications, notifications.keepsVersion { return false }
    hasChosenVersion = true
    let advances = canAdvance
    if advances { advance(to: store.graph.holdHead()) }
    let wasReleased = isReleased
    RealmContext.setReleased(context, false)
    notifications?.deliver(didAdvance: advances)
    tracking?.tell()
    return advances || wasReleased
  }
}
