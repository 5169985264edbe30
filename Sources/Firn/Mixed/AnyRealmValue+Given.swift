internal import Foundation

extension AnyRealmValue {
  /// The value that a value of any type stands for; nil when there is none: values of types that a property may have,
  /// arrays and other sequences but sets, and dictionaries by string. Numbers keep their kind.
  ///
  /// - Parameters:
  ///   - depth: How many collections the value lies in.
  ///   - maximum: How many elements a collection may have.
  static func given(_ input: Any, depth: Int = 0, maximum: Int = .max) -> AnyRealmValue? {
    try? read(input, depth: depth, maximum: maximum)
  }

  /// The same; says what is in the way of a value.
  static func read(_ input: Any, depth: Int = 0, maximum: Int = .max) throws(MixedRefusal) -> AnyRealmValue {
    guard let value = Unwrapping.value(input) else { return AnyRealmValue.none }
    switch value {
    case let value as AnyRealmValue: return value
    case let value as Bool: return .bool(value)
    case let value as any FixedWidthInteger:
      guard let number = Int(exactly: value) else { throw MixedRefusal(.range("\(value)")) }
      return .int(number)
    case let value as JSONNumber:
      guard !value.isInteger, let number = value.double else { throw MixedRefusal(.range(ShownValue.text(value))) }
      return .double(number)
    case let value as Float: return .float(value)
    case let value as Double: return .double(value)
    case let value as any BinaryFloatingPoint: return .double(Double(value))
    case let value as Decimal: return .decimal128(Decimal128(value: value))
    case let value as String: return .string(value)
    case let value as Data: return .data(value)
    case let value as Date: return .date(value)
    case let value as UUID: return .uuid(value)
    default: break
    }
    if let value = try instance(value) { return value }
    if let value = value as? any RawRepresentable {
      return try read(value.rawValue, depth: depth, maximum: maximum)
    }
    return try collection(value, depth: depth + 1, maximum)
  }

  /// The value that an instance of a class is; nil for one of a class that stands for none, and for other values. To cast
  /// these to classes would make Foundation objects of arrays and dictionaries, with all that is in them.
  private static func instance(_ input: Any) throws(MixedRefusal) -> AnyRealmValue? {
    guard type(of: input) is AnyObject.Type else { return nil }
    switch input {
    case let value as ObjectId: return .objectId(value)
    case let value as Decimal128: return .decimal128(value)
    case let value as Object: return .object(value)
    case is ObjectBase, is SetBase, is NSSet: throw MixedRefusal(.kind)
    case let value as List<AnyRealmValue>: return .list(value)
    case let value as Map<String, AnyRealmValue>: return .dictionary(value)
    default: return nil
    }
  }

  private static func collection(_ input: Any, depth: Int, _ maximum: Int) throws(MixedRefusal) -> AnyRealmValue {
    if depth > NestedDepth.most { throw MixedRefusal(.kind) }
    if let entries = entries(input) {
      let map = Map<String, AnyRealmValue>()
      for (key, value) in entries {
        do throws(MixedRefusal) {
          if let problem = MapBase._problem(with: key) { throw MixedRefusal(.key(key, problem)) }
          map.updateValue(try read(value, depth: depth, maximum: maximum), forKey: key)
        } catch {
          throw error.within("[\"\(ShownValue.text(key))\"]")
        }
      }
      return .dictionary(map)
    }
    // Lists have an order, and elements as often as wanted.
    if input is [AnyHashable: Any] || input is any SetAlgebra { throw MixedRefusal(.kind) }
    guard let sequence = input as? any Sequence else { throw MixedRefusal(.kind) }
    let list = List<AnyRealmValue>()
    for element in anyElements(sequence, maximum) {
      if list.count == maximum { throw MixedRefusal(.count) }
      do throws(MixedRefusal) {
        list.append(try read(element, depth: depth, maximum: maximum))
      } catch {
        throw error.within("[\(list.count)]")
      }
    }
    return .list(list)
  }

  private static func entries(_ input: Any) -> [(key: String, value: Any)]? {
    switch input {
    case let object as JSONObject: object.entries
    case let map as any AnyMap: map.anyEntries
    case let dictionary as [String: Any]: dictionary.map { ($0, $1) }
    default: nil
    }
  }

  /// The elements, and at most one more than the maximum.
  private static func anyElements(_ sequence: some Sequence, _ maximum: Int) -> [Any] {
    sequence.prefix(maximum == .max ? maximum : maximum + 1).map { $0 as Any }
  }
}
