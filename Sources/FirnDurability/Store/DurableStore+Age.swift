internal import FirnEngine

extension DurableStore {
  /// Sees to it that what is too old for history leaves the disk, also when nobody commits anything: called at opening
  /// and then again and again. Section 6 of the format page, *Keeping the past*.
  package func lookAfterAge(isOpening: Bool = false) throws {
    guard let journal, let period = history.agePeriod else { return }
    let now = options.clock.nanosecondsSince1970()
    let overdue: OverdueCheckpoint? = checkpoints.withLock { state in
      if state.isClosed { return nil }
      journal.roll(unlessBegunIn: now - min(now, period)...now)
      return overdueCheckpoint(journal, state, isOpening: isOpening)
    }
    if let overdue { _ = try checkpoint(isLast: false, wantsBase: overdue == .base) }
    try checkpoints.withLock { state in
      if !state.isClosed { try removeSuperfluousFiles(journal, &state) }
    }
  }

  private enum OverdueCheckpoint { case base, any }

  /// The checkpoint that has to be made so that nothing too old is needed any more; nil when none has to.
  private func overdueCheckpoint(
    _ journal: Journal, _ state: CheckpointState, isOpening: Bool
  ) -> OverdueCheckpoint? {
    guard let oldestTime = history.oldestTime else { return nil }
    let (extents, lastVersion) = journal.extents
    if lastVersion > state.baseVersion {
      if let time = state.baseFollowedAt ?? history.timeOfCommit(after: state.baseVersion, extents) {
        if time < oldestTime { return .base }
      } else if !isOpening {
        // Nobody knows any more when that was. A process that does not last writes no base for that.
        return .base
      }
    }
    if lastVersion > state.version, let time = history.timeOfCommit(after: state.version, extents), time < oldestTime {
      return .any
    }
    return nil
  }

  /// Whether the base may have what was deleted or overwritten too long ago. False on a closed store.
  var isBaseOverdue: Bool {
    guard let journal, history.agePeriod != nil else { return false }
    return checkpoints.withLock { !$0.isClosed && overdueCheckpoint(journal, $0, isOpening: true) == .base }
  }
}

extension CheckpointState {
  /// Notes when what the base lacks began to be committed, unless that is known.
  ///
  /// - Parameter time: A time before that, for where the segment is gone that would tell.
  mutating func noteBaseFollowed(_ journal: Journal, _ history: JournalHistory, otherwise time: UInt64? = nil) {
    let (extents, lastVersion) = journal.extents
    if lastVersion <= baseVersion || baseFollowedAt != nil { return }
    baseFollowedAt = history.timeOfCommit(after: baseVersion, extents) ?? time
  }
}

extension JournalHistory {
  /// When the segment was begun that has the commit after `version`; nil when it is gone.
  func timeOfCommit(after version: UInt64, _ extents: [SegmentExtent]) -> UInt64? {
    extents.lastIndex { $0.lastVersion <= version }.map { times(extents)[$0] }
  }
}
