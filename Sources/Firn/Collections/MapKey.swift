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
