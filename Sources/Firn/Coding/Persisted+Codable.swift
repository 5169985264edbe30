internal import FirnEngine

/// Properties take part in the synthesised `Codable` of a model class: the bare value, nil as null.
extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of an unmanaged object.
  public init(from decoder: any Decoder) throws {
    self.init()
    // Through the container, so that strategies for dates and data apply.
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of an unmanaged object. Throws `EncodingError` for a managed one, whose class has to define
  /// `encode(to:)` itself, and for links and collections that lie more than a hundred levels deep: encoders need the
  /// thread's stack for each level.
  public func encode(to encoder: any Encoder) throws {
    if PropertySlot.isManaged(slot) {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. Define "
            + "encode(to:) in the model class to encode managed ones."))
    }
    guard Value._shape.type == .object || Value._shape.type == .any else { return try encodeValue(to: encoder) }
    if EncodingLevel.current > NestedDepth.most {
      throw EncodingError.invalidValue(
        Value.self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Objects are nested more than \(NestedDepth.most) levels deep. Encode a part of them, or "
            + "define encode(to:) in the model class so that it encodes the primary keys of linked objects."))
    }
    try EncodingLevel.$current.withValue(EncodingLevel.current + 1) { try encodeValue(to: encoder) }
  }

  private func encodeValue(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value ?? Value._default())
  }
}

/// Where synthesised encoding is. The path of the encoder has another key for each element of a collection.
private enum EncodingLevel {
  /// The level of the object whose properties are encoded; the outermost has the first.
  @TaskLocal static var current = 1
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}
