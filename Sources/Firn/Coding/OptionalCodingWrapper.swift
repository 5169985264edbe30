/// A property wrapper that decodes as nil where its key is missing.
public protocol OptionalCodingWrapper {
  /// Makes a wrapper that holds nil.
  init()
}

extension KeyedDecodingContainer {
  /// Decodes a property that may be nil: a missing key, like a null, is nil. Called by synthesised `Decodable`.
  public func decode<T: Decodable & OptionalCodingWrapper>(_ type: T.Type, forKey key: Key) throws -> T {
    try decodeIfPresent(type, forKey: key) ?? T()
  }
}
