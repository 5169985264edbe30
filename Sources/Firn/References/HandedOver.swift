package import Dispatch
internal import FirnEngine

/// What a live value leads to, on its way to another thread or queue.
package struct HandedOver<Confined: ThreadConfined> {
  private let target: ReferenceTarget
  /// The version that the value was seen in; nil when that is not committed yet.
  private let version: Version?

  /// Traps for what is unmanaged or gone.
  package init(_ value: Confined) {
    target = ReferenceTarget(to: value)
    let instance = value.realm.unsafelyUnwrapped.instance
    version = instance.isWritingHere ? nil : instance.heldVersion()
  }

  /// The value as the realm of a place has it, which refreshes if it shows an older version. Nil when that does not have it,
  /// and when the store was closed.
  package func resolved(at place: HandoverPlace) -> Confined? {
    guard let realm = try? target.store.realm(place.confinement) else { return nil }
    return target.resolved(in: realm) as? Confined
  }

  /// The value in exactly the version that it was seen in, in a realm of the subscriber's own.
  package func resolved(in realm: HandoverRealm) -> Confined? {
    guard let version else { return resolved(at: realm.place) }
    guard let realm = realm.instance(of: target.store, at: version) else { return nil }
    return target.found(in: realm) as? Confined
  }
}

/// Where values are handed over to.
package struct HandoverPlace {
  private let queue: Confinement?

  /// - Parameter queue: A serial queue; nil for wherever the value arrives. Traps for a concurrent one.
  package init(_ queue: DispatchQueue?) { self.queue = queue.map { Confinement.to($0, nil) } }

  var confinement: Confinement { queue ?? .here() }
}

/// The realm in which one subscriber elsewhere sees the changes that it is given: at each of them it shows that change's
/// version, neither an earlier nor a later one.
///
/// It cannot be the realm that others have there. That one follows commits by itself and is written to, and may be past a
/// change that is still on its way. This one moves with the changes only. It is kept by what the subscriber keeps of it, so
/// that no version is held for a subscriber that keeps nothing.
///
/// Used where the changes arrive, one after the other.
package final class HandoverRealm {
  let place: HandoverPlace
  private weak var last: RealmInstance?

  package init(_ place: HandoverPlace) { self.place = place }

  /// The realm, showing a version. Nil when the store was closed.
  ///
  /// Another one than before when nothing was kept of that, or it cannot show the version: the subscriber has written to it
  /// and is ahead, or the changes arrive on another thread.
  func instance(of store: Store, at version: Version) -> RealmInstance? {
    guard store.isOpen else { return nil }
    let confinement = place.confinement
    if let last, last.store === store, let key = confinement.key, last.confinement.key == key,
      last.moves(forwardTo: version)
    {
      return last
    }
    let new = store.guidedRealm(confinement, version)
    last = new
    return new
  }
}

extension RealmInstance {
  /// Shows a version that is not earlier, and delivers. False when that is not possible.
  fileprivate func moves(forwardTo new: Version) -> Bool {
    if isReleased || writer != nil || notifications?.keepsVersion == true { return false }
    let shown = version.unsafelyUnwrapped.number
    if shown > new.number { return false }
    if shown < new.number { advance(to: new) }
    notifications?.deliver(didAdvance: shown < new.number)
    return true
  }
}
