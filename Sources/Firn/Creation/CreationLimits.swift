/// What ``Realm/create(_:json:update:limits:)-(_,String,_,_)`` and ``Realm/create(_:checking:update:limits:)`` take at most
/// from outside.
public struct CreationLimits: Sendable, Equatable {
  /// How deep objects and collections may lie within each other. Single values are no level, and empty collections none.
  public var depth: Int
  /// How many values there may be: objects, elements of collections and values of properties together.
  public var valueCount: Int
  /// How many bytes JSON text may have, and strings and data together.
  public var byteCount: Int
  /// What happens to keys that name no property.
  public var unknownKeys: UnknownKeys

  /// Limits that ordinary documents keep.
  ///
  /// - Parameters:
  ///   - depth: See ``depth``.
  ///   - valueCount: See ``valueCount``.
  ///   - byteCount: See ``byteCount``.
  ///   - unknownKeys: See ``unknownKeys``.
  public init(
    depth: Int = 64, valueCount: Int = 1_000_000, byteCount: Int = 64 << 20, unknownKeys: UnknownKeys = .ignore
  ) {
    self.depth = depth
    self.valueCount = valueCount
    self.byteCount = byteCount
    self.unknownKeys = unknownKeys
  }
}

/// What happens to keys of a dictionary that name no property of the class.
public enum UnknownKeys: Sendable {
  /// Nothing: they are passed over.
  case ignore
  /// The whole input is refused.
  case refuse
}
