/// What the keys of a ``Map`` may be: `String`. Not to be conformed to directly.
public protocol _MapKey: Hashable, _ObjcBridgeable, SendableMetatype {
  /// The key of a stored entry.
  init(_mapKey: String)
  /// The key as it is stored.
  var _mapKey: String { get }
}

/// What the keys of a ``Map`` may be.
public typealias MapKeyType = _MapKey

extension String: _MapKey {
  @inlinable
  public init(_mapKey: String) { self = _mapKey }

  public var _mapKey: String {
    @inlinable get { self }
  }
}

/// A key of a map that no realm manages. Keys are equal when their bytes are.
@usableFromInline
struct UnmanagedKey<Key: _MapKey>: Hashable {
  @usableFromInline let key: Key

  @usableFromInline
  init(_ key: Key) { self.key = key }

  @usableFromInline
  static func == (lhs: UnmanagedKey, rhs: UnmanagedKey) -> Bool {
    lhs.key._mapKey.utf8.elementsEqual(rhs.key._mapKey.utf8)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
