internal import FirnEngine

/// A property that leads to the same object or collection from every thread.
///
///     final class Board: @unchecked Sendable {
///         @ThreadSafe private var flight: Flight?
///
///         init(_ flight: Flight) { self.flight = flight }
///
///         func delay(by minutes: Int) throws {  // on any thread
///             guard let flight = self.flight, let realm = flight.realm else { return }
///             try realm.write { flight.delay += minutes }
///         }
///     }
///
/// Each read gives what the realm of the calling thread has, or that of the actor that calls if one is open, or a realm of
/// the current task. Take the value once where it is needed several times.
///
/// Also for parameters and local variables. In Swift 6 a closure that runs elsewhere captures the wrapper, which is
/// Sendable: `{ [_flight] in _flight.wrappedValue?.delay }`. A class has to say `@unchecked Sendable`, because the compiler
/// takes the wrapper for a variable; it is safe as far as all its variables are declared so.
///
/// Inside the block of ``RealmStore`` `.write` the property leads to the realm of the thread, which is not the block's;
/// there ask the block's realm for the object.
///
/// State    guarded by
/// held     its lock
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
  private struct Held {
    var target: ReferenceTarget?
    /// How often a value was set.
    var setCount = 0
  }

  private let held: Guarded<Held>

  /// Wraps what a realm manages, or nil. Traps for something unmanaged, deleted or invalidated.
  public init(wrappedValue: T?) { held = Guarded(Held(target: Self.target(wrappedValue))) }

  /// The value as the realm of the calling thread has it. Nil for ever once it was deleted.
  ///
  /// That realm refreshes when it shows an older version than the one in which the value was read or set last. Traps when
  /// the database was closed. May be set on any thread that may use the value, from then on for all; traps for something
  /// unmanaged, deleted or invalidated.
  public var wrappedValue: T? {
    get {
      let known = held.withLock { $0 }
      guard let target = known.target else { return nil }
      let realm: RealmInstance
      do {
        realm = try target.store.realmForThawing()
      } catch {
        fatalError("A property declared with @ThreadSafe was read: \(error.localizedDescription)")
      }
      let value = target.resolved(in: realm) as? T
      // A realm that cannot move just now may not have it yet.
      if value == nil, target.isLater(than: realm) { return nil }
      replace(value.map { ReferenceTarget(to: $0) }, unlessSetAfter: known.setCount)
      return value
    }
    set { replace(Self.target(newValue), unlessSetAfter: nil) }
  }

  private func replace(_ target: ReferenceTarget?, unlessSetAfter setCount: Int?) {
    // What was there before is released outside of the lock.
    let old: ReferenceTarget? = held.withLock { held in
      if let setCount, held.setCount != setCount { return target }
      defer { held.target = target }
      if setCount == nil { held.setCount += 1 }
      return held.target
    }
    withExtendedLifetime(old) {}
  }

  private static func target(_ value: T?) -> ReferenceTarget? {
    guard let value else { return nil }
    if value.realm == nil, !value.isInvalidated {
      fatalError(
        "Only managed objects may be wrapped as thread safe: this '\(T.self)' is unmanaged. Add it to a realm before.")
    }
    return ReferenceTarget(to: value)
  }
}
