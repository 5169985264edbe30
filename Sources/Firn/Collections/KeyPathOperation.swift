internal import FirnEngine
internal import Foundation

/// An operator at the beginning of a key path and the property that it takes, as in `@max.age`.
struct KeyPathOperation {
  private let keyPath: String
  private let name: Substring
  private let property: String

  /// Nil for a key path without operator.
  init?(_ keyPath: String) {
    guard keyPath.hasPrefix("@") else { return nil }
    let end = keyPath.firstIndex(of: ".") ?? keyPath.endIndex
    self.keyPath = keyPath
    name = keyPath[..<end]
    property = String(keyPath[end...].dropFirst())
  }

  /// What the operator makes of elements.
  ///
  /// - Parameters:
  ///   - elements: What they are.
  ///   - values: Gives what a property is in each of them.
  func result(count: Int, in elements: StoredAggregate.Elements, _ values: (_ property: String) -> [Any]) -> Any? {
    switch name {
    case "@count": return count
    case "@min": return aggregate(.min, elements, values)
    case "@max": return aggregate(.max, elements, values)
    case "@sum": return aggregate(.sum, elements, values)
    case "@avg": return aggregate(.average, elements, values)
    case "@unionOfObjects": return values(checkedProperty)
    case "@distinctUnionOfObjects": return DistinctValues.of(values(checkedProperty))
    case "@unionOfArrays": return united(values)
    case "@distinctUnionOfArrays": return DistinctValues.of(united(values))
    default: fatalError("Unsupported KVC collection operator '\(name)' found in key path '\(keyPath)'.")
    }
  }

  private var checkedProperty: String {
    if property.isEmpty {
      fatalError("Missing key path for KVC collection operator '\(name)' in key path '\(keyPath)'.")
    }
    if property.contains(".") {
      fatalError("Nested key paths are not supported for KVC collection operators: '\(keyPath)'.")
    }
    return property
  }

  /// The elements of the collections that are the values.
  private func united(_ values: (String) -> [Any]) -> [Any] {
    values(checkedProperty).flatMap { value -> [Any] in
      if let collection = value as? any RealmCollection { return collection.value(forKey: "self") as? [Any] ?? [] }
      if let map = value as? any AnyMap { return map.anyEntries.map { Unwrapping.stored($0.value) ?? NSNull() } }
      if value is NSNull { return [] }
      fatalError("'\(name)' needs a property that is a collection, which '\(property)' is not: '\(keyPath)'.")
    }
  }

  private func aggregate(
    _ aggregate: Aggregate, _ elements: StoredAggregate.Elements, _ values: (String) -> [Any]
  ) -> Any? {
    let property = checkedProperty
    let result = StoredAggregate.result(aggregate, of: values(property), property, in: elements)
    return AnyRealmValue(scalar: result).payload.map { Unwrapping.named($0) }
  }
}
