internal import FirnEngine
internal import Foundation

extension RealmCollection {
  public func value(forKey key: String) -> Any? { values(forKey: key) }

  public func value(forKeyPath keyPath: String) -> Any? {
    if let operation = KeyPathOperation(keyPath) {
      return operation.result(count: count, in: StoredAggregate.Elements(Element.self, first: first)) {
        values(forKey: $0)
      }
    }
    guard let (name, rest) = KeyPathWalk.parts(of: keyPath) else { return value(forKey: keyPath) }
    return (value(forKey: name) as? [Any])?.map { KeyPathWalk.value(of: $0, rest) }
  }

  public func setValue(_ value: Any?, forKey key: String) {
    if !Element._isLinkElement { fatalError("Cannot set '\(key)': \(Self.self) shows values, and is read-only.") }
    setValueOfObjects(value, forKey: key)
  }

  /// What a property is in each element.
  func values(forKey key: String) -> [Any] {
    if key != "self", Element._isLinkElement, _unmanagedElements == nil { _query.core.checkProperty(key) }
    return ElementValues.named(key, in: self)
  }

  func setValueOfObjects(_ value: Any?, forKey key: String) {
    if _unmanagedElements == nil {
      let core = _query.core
      core.checkProperty(key)
      _ = core.instance.requireWriter(WriteAttempt(key: key, ofAll: core.table.model))
    }
    for element in Array(self) { (Unwrapping.stored(element) as? ObjectBase)?.setValue(value, forKey: key) }
  }
}

/// Elements by the names of their properties.
enum ElementValues {
  /// What a property is in each of some elements, in stored form, and `NSNull` for nil.
  static func named<Elements: Sequence>(_ key: String, in elements: Elements) -> [Any]
  where Elements.Element: RealmCollectionValue {
    // Instances of it differ.
    let null = NSNull()
    if key == "self" { return elements.map { Unwrapping.stored($0) ?? null } }
    if !Elements.Element._isLinkElement { trapForProperty(key) }
    return elements.map { (Unwrapping.stored($0) as? ObjectBase)?.value(forKey: key) ?? null }
  }

  static func trapForProperty(_ key: String) -> Never {
    fatalError("Invalid key '\(key)' for a collection of values: they have no properties, 'self' stands for them.")
  }
}

extension ResultsCore {
  /// Traps for a name that is no property of the elements.
  func checkProperty(_ name: String) {
    let model = table.model
    if model.properties.contains(where: { $0.name == name }) { return }
    if model.linkingProperties.contains(where: { $0.name == name }) { return }
    model.trapForProperty(named: name)
  }
}

// MARK: - Lists and sets

extension List {
  /// What a property is in each element; see ``RealmCollection/value(forKey:)``.
  @_disfavoredOverload
  public func value(forKey key: String) -> [AnyObject] { values(forKey: key).map { $0 as AnyObject } }

  /// What a path leads to from each element, or what an operator makes of them; see
  /// ``RealmCollection/value(forKeyPath:)``. Traps for an operator that makes a single value.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    let result: Any? = value(forKeyPath: keyPath)
    guard let values = result as? [Any] else {
      fatalError("The key path '\(keyPath)' leads to one value, not to an array. Take the result as 'Any?'.")
    }
    return values.map { $0 as AnyObject }
  }

  public func setValue(_ value: Any?, forKey key: String) {
    if Element._isLinkElement { return setValueOfObjects(value, forKey: key) }
    if key != "self" { ElementValues.trapForProperty(key) }
    if _context != nil { _ = _beginMutation() }
    let element = Element._element(of: value)
    for index in 0..<count { self[index] = element }
  }
}

extension MutableSet {
  public func value(forKey key: String) -> Any? { distinctValues(forKey: key) }

  /// What a property is in the elements, each value once; see ``RealmCollection/value(forKey:)``.
  @_disfavoredOverload
  public func value(forKey key: String) -> [AnyObject] { distinctValues(forKey: key).map { $0 as AnyObject } }

  private func distinctValues(forKey key: String) -> [Any] {
    key == "self" ? values(forKey: key) : DistinctValues.of(values(forKey: key))
  }

  public func setValue(_ value: Any?, forKey key: String) {
    if Element._isLinkElement { return setValueOfObjects(value, forKey: key) }
    if key != "self" { ElementValues.trapForProperty(key) }
    let element = Element._element(of: value)
    removeAll()
    insert(element)
  }
}

extension RealmCollectionValue {
  /// The element that a value of any type stands for; traps for one that stands for none.
  fileprivate static func _element(of value: Any?) -> Self {
    guard let element = _given(value) else {
      let given = value.flatMap { Unwrapping.value($0) }
      let shown = given.map { "'\(ShownValue.text($0))' of type '\(ShownValue.typeName($0))'" } ?? "'nil'"
      fatalError("Invalid value \(shown) for an element of type '\(Self.self)'.")
    }
    return element
  }
}

// MARK: - Paths

/// Follows names of properties from a value whose type is not known.
enum KeyPathWalk {
  /// The first name of a path and the rest; nil for a single name.
  static func parts(of keyPath: String) -> (first: String, rest: String)? {
    guard let dot = keyPath.firstIndex(of: ".") else { return nil }
    return (String(keyPath[..<dot]), String(keyPath[dot...].dropFirst()))
  }

  /// The value at the end of a path; nil for none.
  static func found(from input: Any, _ keyPath: String) -> Any? {
    let value = value(of: input, keyPath)
    return value is NSNull ? nil : value
  }

  /// What a path leads to; `NSNull` for nil.
  static func value(of input: Any, _ keyPath: String) -> Any {
    guard let value = Unwrapping.value(input) else { return NSNull() }
    switch value {
    case let object as ObjectBase:
      guard let (first, rest) = parts(of: keyPath) else { return object.value(forKey: keyPath) ?? NSNull() }
      return object.value(forKey: first).map { Self.value(of: $0, rest) } ?? NSNull()
    case let collection as any RealmCollection: return collection.value(forKeyPath: keyPath) ?? NSNull()
    case let map as any RealmKeyedCollection: return map.value(forKeyPath: keyPath) ?? NSNull()
    default: trap(keyPath, for: value)
    }
  }

  /// Sets a property of an object, of all objects in a collection or array, or the value of a map's key. Nothing for
  /// nil.
  static func set(_ value: Any?, _ key: String, of owner: Any) {
    guard let owner = Unwrapping.value(owner) else { return }
    switch owner {
    case let object as ObjectBase: object.setValue(value, forKey: key)
    case let collection as any RealmCollection: collection.setValue(value, forKey: key)
    case let map as any RealmKeyedCollection: map.setValue(value, forKey: key)
    case let owners as [Any]: for owner in owners { set(value, key, of: owner) }
    default: trap(key, for: owner)
    }
  }

  private static func trap(_ keyPath: String, for value: Any) -> Never {
    fatalError("Invalid key path '\(keyPath)': a value of type '\(type(of: value))' has no properties.")
  }
}
