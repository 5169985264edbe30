/// What a realm manages and what can be passed to other threads by reference: objects, collections and maps. Not to be
/// conformed to.
///
/// See ``ThreadSafeReference`` and ``ThreadSafe``.
public protocol ThreadConfined {
  /// The realm that manages it; nil when it is unmanaged or gone.
  var realm: Realm? { get }
  /// Whether it was managed and is gone for good.
  var isInvalidated: Bool { get }
  /// Whether it belongs to a frozen realm, and so never changes.
  var isFrozen: Bool { get }
  /// The same in the version that it shows now, for use on any thread.
  ///
  /// - Complexity: O(1).
  func freeze() -> Self
  /// The same, live, for the current thread; nil when it is gone.
  func thaw() -> Self?
}
