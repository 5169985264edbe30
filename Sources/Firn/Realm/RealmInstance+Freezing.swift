internal import FirnEngine
internal import Synchronization

extension RealmInstance {
  /// A frozen realm of the version that this one shows to the calling thread.
  func frozen() -> RealmInstance {
    let version = heldVersion()
    return frozenRealm.withLock { cached in
      if let cached, !cached.isReleased, cached.version.unsafelyUnwrapped.number == version.number { return cached }
      let new = RealmInstance(store: store, confinement: .frozen, version: version)
      // A thread that was overtaken by the realm must not make it keep the old version.
      hasFrozenRealm.store(true, ordering: .sequentiallyConsistent)
      if RealmContext.awayRoot(context) == version.root { cached = new }
      return new
    }
  }

  /// Lets the frozen realm go that was made last.
  func dropFrozen() {
    if !hasFrozenRealm.load(ordering: .sequentiallyConsistent) { return }
    let old: RealmInstance? = frozenRealm.withLock { cached in
      defer { cached = nil }
      hasFrozenRealm.store(false, ordering: .sequentiallyConsistent)
      return cached
    }
    withExtendedLifetime(old) {}
  }
}
