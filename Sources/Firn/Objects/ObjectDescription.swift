internal import Foundation

extension ObjectBase {
  /// What ``description`` says unless it is overridden.
  final var _descriptionText: String { ObjectDescription.text(of: self) }
}

/// The text of objects: properties in the order of their declaration, nested objects and lists indented by a tab.
enum ObjectDescription {
  private static let depthMax = 5
  private static let elementCountMax = 100
  private static let byteCountMax = 24

  static func text(of collection: CollectionBase) -> String { text(ofValue: collection, depth: 1) }

  static func text(of object: ObjectBase) -> String {
    if object._isGone { return "[invalid object]" }
    return text(of: object, depth: 1)
  }

  private static func text(of object: ObjectBase, depth: Int) -> String {
    if depth > depthMax { return "<Maximum depth exceeded>" }
    let model = object._model
    var text = "\(model.name) {\n"
    for property in model.properties where !property.isHidden {
      let value = property.read(object)
      text += "\t\(property.name) = \(indented(self.text(ofValue: value, depth: depth)));\n"
    }
    return text + "}"
  }

  private static func text(ofValue value: Any, depth: Int) -> String {
    guard let value = Unwrapping.value(value) else { return "(null)" }
    switch Unwrapping.persisted(value) {
    case let mixed as AnyRealmValue: return mixed.payload.map { text(ofValue: $0, depth: depth) } ?? "(null)"
    case let object as ObjectBase: return text(of: object, depth: depth + 1)
    case let flag as Bool: return flag ? "1" : "0"
    case let data as Data: return text(of: data)
    case let list as any DescribedList: return text(of: list, depth: depth)
    case let map as any DescribedMap: return text(of: map, depth: depth)
    case let persisted: return "\(persisted)"
    }
  }

  private static func text(of data: Data) -> String {
    let digits = data.prefix(byteCountMax).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "<\(digits.joined()) — \(data.count) total bytes>"
  }

  private static func text(of list: any DescribedList, depth: Int) -> String {
    if depth > depthMax { return "<Maximum depth exceeded>" }
    let count = list.describedCount
    let depth = list.nests ? depth + 1 : depth
    var lines: [String] = []
    for index in 0..<min(count, elementCountMax) {
      lines.append("\t[\(index)] \(indented(text(ofValue: list.describedElement(at: index), depth: depth)))")
    }
    var text = "\(list.describedType) <\(Unmanaged.passUnretained(list as AnyObject).toOpaque())> (\n"
    text += lines.joined(separator: ",\n")
    if count > elementCountMax { text += "\n\t... \(count - elementCountMax) objects skipped." }
    return text + "\n)"
  }

  private static func text(of map: any DescribedMap, depth: Int) -> String {
    if depth > depthMax { return "<Maximum depth exceeded>" }
    let depth = map.nests ? depth + 1 : depth
    let entries = map.anyEntries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let lines = entries.map { key, value in "[\(key)]: \(indented(text(ofValue: value, depth: depth)))" }
    return "\(map.describedType) <\(Unmanaged.passUnretained(map as AnyObject).toOpaque())> (\n"
      + lines.joined(separator: ",\n") + "\n)"
  }

  private static func indented(_ text: String) -> String { text.replacing("\n", with: "\n\t") }
}

/// A map as descriptions see it.
protocol DescribedMap: AnyMap {
  var describedType: String { get }
  /// Whether values may be collections, which count as a level each.
  var nests: Bool { get }
}

extension RealmCollectionValue {
  /// How descriptions of collections call the type of their elements.
  static var _describedName: String {
    _elementShape.target?.className() ?? _typeName(Self.self, qualified: false)
  }
}

extension CollectionBase {
  /// How descriptions call the type of the elements: dynamic objects have the name of the class that they stand for.
  func describedName<Element: RealmCollectionValue>(of type: Element.Type) -> String {
    (_hasDynamicElements ? _target?.model.name : nil) ?? Element._describedName
  }
}

/// A list or set as descriptions see it.
protocol DescribedList: AnyObject {
  var describedType: String { get }
  var describedCount: Int { get }
  /// Whether elements may be collections, which count as a level each.
  var nests: Bool { get }
  func describedElement(at index: Int) -> Any
}
