internal import Foundation

/// What an `Encodable` value consists of: a value, elements or entries. Filled by the containers of `NodeEncoder`.
final class EncodedNode {
  private var value: Any?
  private var elements: [EncodedNode] = []
  private var entries: [String: EncodedNode]?

  var elementCount: Int { elements.count }

  /// Dictionaries, arrays and values as properties take them.
  var result: Any {
    if let entries { return entries.mapValues(\.result) }
    return value ?? elements.map(\.result)
  }

  func set(_ value: Any) { self.value = value }

  /// The node of the next element.
  func append() -> EncodedNode {
    elements.append(EncodedNode())
    return elements[elements.count - 1]
  }

  /// The node of an entry.
  func entry(_ key: String) -> EncodedNode {
    let node = entries?[key] ?? EncodedNode()
    entries = entries ?? [:]
    entries?[key] = node
    return node
  }

  func becomeKeyed() { entries = entries ?? [:] }
}

/// Encodes into a node. Dates, data, decimals, UUIDs and object ids stay what they are; URLs are texts.
struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let depthMax: Int
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// What a value consists of. Throws what its `encode(to:)` throws, and when it is too deep.
  static func encode(_ value: any Encodable, depthMax: Int) throws -> Any {
    let node = EncodedNode()
    try NodeEncoder(node: node, codingPath: [], depthMax: depthMax).encode(value)
    return node.result
  }

  func encode(_ value: any Encodable) throws {
    if codingPath.count > depthMax {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath, debugDescription: "The value is more than \(depthMax) levels deep."))
    }
    switch value {
    case is Date, is Data, is UUID, is Decimal, is Decimal128, is ObjectId: node.set(value)
    case let value as URL: node.set(value.absoluteString)
    default: try value.encode(to: self)
    }
  }

  fileprivate func at(_ key: any CodingKey, _ node: EncodedNode) -> NodeEncoder {
    NodeEncoder(node: node, codingPath: codingPath + [key], depthMax: depthMax)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeKeyed()
    return KeyedEncodingContainer(KeyedNode(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedNode(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleNode(encoder: self) }
}

private struct PositionKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "\(intValue ?? 0)" }

  init(_ position: Int) { intValue = position }
  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

private struct SuperKey: CodingKey {
  let stringValue = "super"
  var intValue: Int? { nil }

  init() {}
  init?(intValue: Int) { nil }
  init?(stringValue: String) { nil }
}

private struct SingleNode: SingleValueEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() { encoder.node.set(NSNull()) }
  mutating func encode(_ value: Bool) { encoder.node.set(value) }
  mutating func encode(_ value: String) { encoder.node.set(value) }
  mutating func encode(_ value: Double) { encoder.node.set(value) }
  mutating func encode(_ value: Float) { encoder.node.set(value) }
  mutating func encode(_ value: Int) { encoder.node.set(value) }
  mutating func encode(_ value: Int8) { encoder.node.set(value) }
  mutating func encode(_ value: Int16) { encoder.node.set(value) }
  mutating func encode(_ value: Int32) { encoder.node.set(value) }
  mutating func encode(_ value: Int64) { encoder.node.set(value) }
  mutating func encode(_ value: UInt) { encoder.node.set(value) }
  mutating func encode(_ value: UInt8) { encoder.node.set(value) }
  mutating func encode(_ value: UInt16) { encoder.node.set(value) }
  mutating func encode(_ value: UInt32) { encoder.node.set(value) }
  mutating func encode(_ value: UInt64) { encoder.node.set(value) }
  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }
}

private struct UnkeyedNode: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elementCount }

  private func next() -> NodeEncoder { encoder.at(PositionKey(count), encoder.node.append()) }

  mutating func encodeNil() throws { next().node.set(NSNull()) }
  mutating func encode<T: Encodable>(_ value: T) throws { try next().encode(value) }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { next() }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func entry(_ key: any CodingKey) -> NodeEncoder { encoder.at(key, encoder.node.entry(key.stringValue)) }

  mutating func encodeNil(forKey key: Key) throws { entry(key).node.set(NSNull()) }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try entry(key).encode(value) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { entry(key).container(keyedBy: type) }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    entry(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { entry(SuperKey()) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { entry(key) }
}
