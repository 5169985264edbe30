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
  /// `encode(to:)` itself.
  public func encode(to encoder: any Encoder) throws {
    if PropertySlot.isManaged(slot) {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. Define "
            + "encode(to:) in the model class to encode managed ones."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(value ?? Value._default())
  }
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}
