internal import Foundation

/// How the engine compares values of a Swift type, in relation to how Swift does.
enum ComparedType {
  /// Equal in one when equal in the other; with the same order where there is one.
  case exact(isOrdered: Bool)
  /// Swift compares texts by Unicode's canonical equivalence, the engine by their bytes.
  case text
  /// A link.
  case object
  /// A Bool.
  case flag

  /// Nil for types that the engine compares in another way, or may.
  init?(_ type: Any.Type) {
    switch type {
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is Double.Type, is Float.Type,
      is Date.Type:
      self = .exact(isOrdered: true)
    case is UUID.Type, is ObjectId.Type, is Data.Type: self = .exact(isOrdered: false)
    case is Bool.Type: self = .flag
    case is String.Type: self = .text
    case is ObjectBase.Type: self = .object
    case let type as any OptionalProtocol.Type: self.init(type.wrappedType)
    case let type as any PersistableEnum.Type: self.init(enumeration: type)
    default: return nil
    }
  }

  private init?<Cases: PersistableEnum>(enumeration: Cases.Type) {
    switch ComparedType(Cases.RawValue.self) {
    case .exact?, .text?: self = .exact(isOrdered: false)
    default: return nil
    }
  }
}

extension OptionalProtocol {
  static var wrappedType: Any.Type { Wrapped.self }
}

/// Texts that Swift takes for equal.
enum EqualTexts {
  /// What has an equal that looks the same: the signs for kelvin, the Greek question mark, the Greek varia.
  private static let twins: [UInt8: String] = [0x4B: "\u{212A}", 0x3B: "\u{37E}", 0x60: "\u{1FEF}"]

  /// All texts that equal one, itself first; nil for one with other than ASCII characters, and for one with many equals.
  static func all(of text: String) -> [String]? {
    var all = [""]
    for byte in text.utf8 {
      guard byte < 0x80 else { return nil }
      let character = String(UnicodeScalar(byte))
      if let twin = twins[byte] {
        if all.count >= 16 { return nil }
        all = all.map { $0 + character } + all.map { $0 + twin }
      } else {
        for index in all.indices { all[index] += character }
      }
    }
    return all
  }
}

/// A range, of any type.
protocol ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeUpTo: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

/// Collections, whose own properties have a meaning in queries.
protocol CountedElements {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
  static var elementType: Any.Type { get }
  static var isSet: Bool { get }
}

extension CountedElements where Self: Collection {
  static var elementType: Any.Type { Element.self }
  static var isSet: Bool { false }
}

extension List: CountedElements {
  static var countPath: AnyKeyPath { \List.count }
  static var isEmptyPath: AnyKeyPath { \List.isEmpty }
}

extension MutableSet: CountedElements {
  static var countPath: AnyKeyPath { \MutableSet.count }
  static var isEmptyPath: AnyKeyPath { \MutableSet.isEmpty }
  static var isSet: Bool { true }
}

extension LinkingObjects: CountedElements {
  static var countPath: AnyKeyPath { \LinkingObjects.count }
  static var isEmptyPath: AnyKeyPath { \LinkingObjects.isEmpty }
}

extension Array: CountedElements {
  static var countPath: AnyKeyPath { \Array.count }
  static var isEmptyPath: AnyKeyPath { \Array.isEmpty }
}
