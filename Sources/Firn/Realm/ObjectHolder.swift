internal import FirnEngine

/// A value of an unmanaged object that other objects may be in.
protocol ObjectHolder {
  /// The unmanaged objects in it, in the order in which storing the value meets them.
  var unmanagedObjects: [ObjectBase] { get }
}

extension ClassModel.Property {
  /// The value of an unmanaged property, when objects may be in it.
  func holder(at wrapper: UnsafeMutableRawPointer, of object: ObjectBase) -> (any ObjectHolder)? {
    guard shape.custom == nil, shape.type == .object || shape.type == .any else { return nil }
    return self.wrapper.value(at: wrapper, of: object) as? any ObjectHolder
  }
}

extension List: ObjectHolder {
  var unmanagedObjects: [ObjectBase] { Element.unmanagedObjects(in: _elements) }
}

extension MutableSet: ObjectHolder {
  var unmanagedObjects: [ObjectBase] { Element.unmanagedObjects(in: _members.elements) }
}

extension Map: ObjectHolder {
  var unmanagedObjects: [ObjectBase] { Value.unmanagedObjects(in: _entries.map(\.value)) }
}

extension RealmCollectionValue {
  /// Objects of another class than the collection's are left to the collection, which refuses them.
  fileprivate static func unmanagedObjects(in elements: [Self]) -> [ObjectBase] {
    if Self.self == AnyRealmValue.self {
      return elements.flatMap { ($0 as? AnyRealmValue)?.unmanagedObjects ?? [] }
    }
    guard let target = _elementShape.target, _elementShape.custom == nil else { return [] }
    return elements.compactMap { element in
      guard let object = element as? ObjectBase, object._instance == nil, type(of: object) == target else { return nil }
      return object
    }
  }
}

extension AnyRealmValue: ObjectHolder {
  var unmanagedObjects: [ObjectBase] {
    var objects: [ObjectBase] = []
    // As a copy is made: the values of a collection one after the other, then the last of the collections in it.
    var rest: [(value: AnyRealmValue, depth: Int)] = []
    func meet(_ value: AnyRealmValue, _ depth: Int) {
      if case .object(let object) = value, object._instance == nil { objects.append(object) }
      // What is too deep is refused when it is copied.
      if value.isCollection, depth <= NestedDepth.most { rest.append((value, depth)) }
    }
    meet(self, 1)
    while let (value, depth) = rest.popLast() {
      switch value {
      case .list(let list): for element in list { meet(element, depth + 1) }
      case .dictionary(let map): for entry in map.entries { meet(entry.value, depth + 1) }
      default: break
      }
    }
    return objects
  }
}
