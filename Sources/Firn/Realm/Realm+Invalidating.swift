internal import CFirn
internal import FirnEngine

extension Realm {
  /// Lets go of the version that the realm shows. The next use of the realm shows the newest one.
  ///
  /// All objects, lists, sets and maps of the realm are invalidated, for good: collections are empty, and objects keep their
  /// last values. (On other threads, and in realms of queues, actors and tasks, these read the last commit as long as their
  /// rows exist.) ``Results`` stay, and show what matches when they are used again; observers stay, too. A write transaction
  /// that is open is cancelled, with a warning in the log. Asynchronous writes that have been committed become durable,
  /// and their completions are called, before this returns; those that have not begun are dropped.
  ///
  /// Until the realm is used again it holds the version that is the newest now, for readers on other threads. Nothing
  /// happens inside of a notification.
  ///
  /// A frozen realm is closed: using it, its collections and results traps from then on. Objects that were taken from it
  /// stay readable, are invalidated, and keep the version's memory as long as they exist. That concerns everybody who has
  /// this version from the same realm.
  ///
  /// - Complexity: O(objects of the realm that are in use).
  public func invalidate(file: StaticString = #fileID, line: UInt = #line) {
    if isFrozen { return RealmContext.setReleased(instance.context, true) }
    let site = CallSite(function: "Realm.invalidate", file: file, line: line)
    instance.checkPlace("database \(configuration.name)", site)
    instance.use?.enter(site)
    defer { instance.use?.leave() }
    instance.invalidate()
  }
}

extension RealmInstance {
  fileprivate func invalidate() {
    if notifications?.keepsVersion == true { return }
    asyncWrites?.finishCommits()
    asyncWrites?.cancelBegins()
    if isInWriteTransaction {
      Log.warning("A realm was invalidated inside a write transaction, which is cancelled.")
      cancelWrite()
    }
    version.unsafelyUnwrapped.withContents { contents in
      for index in 0..<handles.count {
        guard let handle = handles[index] else { continue }
        handle.accessors.setLastValuesOfAll(in: contents, handle.table)
      }
    }
    RealmContext.beginGeneration(context)
    bumpEpoch()
    if canAdvance { advance(to: store.graph.holdHead()) }
    dropFrozen()
    RealmContext.setReleased(context, true)
    tracking?.didInvalidate()
    tracking?.tell()
  }

  /// Shows the newest version, if the caller may make the realm move. Traps for a frozen realm.
  func showNewestAgain() {
    if isFrozen {
      fatalError(
        "A frozen Realm which has been invalidated was accessed (database \(store.configuration.name)). Take another one "
          + "with freeze().")
    }
    // Others see the version that was the newest.
    guard isHomeForReading || isConfinedHere || confinement.isOfCurrentActor else { return }
    // A delivery ends at its version.
    if notifications?.keepsVersion == true { return }
    RealmContext.setReleased(context, false)
    if writer == nil, canAdvance { advance(to: store.graph.holdHead()) }
  }
}
