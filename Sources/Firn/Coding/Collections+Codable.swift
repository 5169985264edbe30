extension List: Decodable where Element: Decodable {
  /// Decodes an array to an unmanaged list.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { append(try container.decode(Element.self)) }
  }
}

extension List: Encodable where Element: Encodable {
  /// Encodes the elements as an array, of managed lists too.
  public func encode(to encoder: any Encoder) throws {
    try encodeElements(to: encoder)
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes an array to an unmanaged set.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes the elements as an array, of managed sets too.
  public func encode(to encoder: any Encoder) throws {
    try encodeElements(to: encoder)
  }
}

extension Map: Decodable where Value: Decodable {
  /// Decodes values by string keys to an unmanaged map. Throws `DecodingError` for keys that a map cannot have.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    // As a dictionary, to whose keys key strategies do not apply.
    let values = try decoder.singleValueContainer().decode([String: Value].self)
    for key in values.keys.sorted() {
      if let problem = Self._problem(with: key) {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
      }
      self[Key(_mapKey: key)] = values[key]
    }
  }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes the values by their keys, of managed maps too.
  ///
  /// Throws `EncodingError` when two keys are the same characters in other bytes, such as an accented letter as one
  /// scalar and as two: a map tells them apart, and encoders do not.
  public func encode(to encoder: any Encoder) throws {
    var values: [String: Value] = [:]
    for entry in self {
      let key = entry.key._mapKey
      if values.updateValue(entry.value, forKey: key) == nil { continue }
      throw EncodingError.invalidValue(
        key,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "The map has two keys '\(key)' that differ in their bytes only, of which an encoder keeps one. Remove "
            + "one of them, or encode the entries as an array."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}

extension Results: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    try encodeElements(to: encoder)
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    try encodeElements(to: encoder)
  }
}

extension Sequence where Element: Encodable {
  fileprivate func encodeElements(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
