internal import FirnEngine

/// Takes a live object or collection to another thread, once.
///
///     let reference = ThreadSafeReference(to: flight)
///     queue.async {
///         let realm = try! Realm(configuration: configuration, queue: queue)
///         guard let flight = realm.resolve(reference) else { return }  // it was deleted
///         try! realm.write { flight.delay = 45 }
///     }
///
/// ``Frozen`` is the other way to pass something on: to be read as it is now, not to be written or observed.
///
/// A reference keeps its database open. One to ``Results`` or ``LinkingObjects`` also keeps the memory of the version that
/// they showed, until it is resolved or released; those to objects, lists, sets and maps keep none.
@frozen
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let state: ReferenceState

  /// Makes a reference to what a realm manages; inside a write transaction to what it will be after the commit.
  ///
  /// Traps for something unmanaged, deleted or invalidated, and for results over a list, set or map that was created in
  /// the running transaction. May be called where the value may be read, which is everywhere.
  public init(to threadConfined: Confined) { state = ReferenceState(ReferenceTarget(to: threadConfined)) }

  /// Whether it has been resolved: a reference serves once.
  public var isInvalidated: Bool { state.target.withLock { $0 == nil } }

  /// What it refers to. Traps the second time.
  func take() -> ReferenceTarget? {
    state.target.withLock { target in
      defer { target = nil }
      return target
    }
  }
}

/// What copies of a reference share.
@usableFromInline
final class ReferenceState: Sendable {
  /// Nil once it was resolved.
  let target: Guarded<ReferenceTarget?>

  init(_ target: ReferenceTarget) { self.target = Guarded(target) }
}

extension Realm {
  /// What a reference refers to, as this realm has it: live, to be read, written and observed here.
  ///
  /// A realm that was just opened, of which nothing was read, then shows the version that the reference was made in,
  /// until it is refreshed or the next commit comes, unless nobody shows that version any more.
  ///
  /// Any other realm refreshes first when it shows an older version than the one the reference was made in, or one
  /// without what the reference's transaction did; notifications that are due are delivered then. A frozen realm gives
  /// what it holds.
  ///
  /// - Returns: Nil when it was deleted meanwhile, and when it is of another database, or of this one before that was
  ///   closed and opened again. The reference is used up all the same: resolving it again traps.
  /// - Complexity: O(1); results are evaluated when they are used.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>, file: StaticString = #fileID, line: UInt = #line
  ) -> Confined? {
    let site = CallSite(function: "Realm.resolve", file: file, line: line)
    if !isFrozen { instance.checkPlace("database \(configuration.name)", site) }
    guard let target = reference.take() else {
      RealmInstance.trap(
        site,
        "Can only resolve a thread safe reference once, and this one to '\(Confined.self)' was resolved before. Make one "
          + "for each use, or declare a property with @ThreadSafe.")
    }
    return target.resolved(in: instance, prefersOwnVersion: true) as? Confined
  }
}
