internal import FirnEngine
internal import Foundation

/// Which persisted property of a class a key path is: exactly it, and nothing made of it.
///
/// A key path is a function. It is run with a few values to see whether it gives them back, because `\Dog.shout` may be
/// a computed property that reads `name`, and what it reads besides cannot be known.
enum ExactProperty {
  /// The name of the property; nil when the key path is none.
  static func name(of keyPath: AnyKeyPath, on type: ObjectBase.Type) -> String? {
    let key = Key(keyPath: keyPath, type: ObjectIdentifier(type))
    if let name = known.withLock({ $0[key] }) { return name }
    let name = find(keyPath, on: type)
    known.withLock { known in
      if known.count >= 4096 { known.removeAll() }
      known[key] = .some(name)
    }
    return name
  }

  private struct Key: Hashable {
    let keyPath: AnyKeyPath
    let type: ObjectIdentifier
  }

  private static let known = Guarded<[Key: String?]>([:])

  private static func find(_ keyPath: AnyKeyPath, on type: ObjectBase.Type) -> String? {
    let traced = StoreSchema.tracedPath(of: keyPath, on: type)
    guard traced.isWhole, traced.names.count == 1, traced.mapKey == nil, traced.projected.isEmpty else { return nil }
    let model = ClassModel.of(type)
    let name = traced.names[0]
    if model.linkingProperties.contains(where: { $0.name == name }) {
      return Swift.type(of: keyPath).valueType is any LinkingObjectsProtocol.Type ? name : nil
    }
    guard let property = model.properties.first(where: { $0.name == name }),
      ObjectIdentifier(Swift.type(of: keyPath).valueType) == ObjectIdentifier(property.value)
    else { return nil }
    let object = type.init()
    for sample in samples(of: property.value) {
      object.setValue(sample, forKey: name)
      guard let found = object[keyPath: keyPath] as? AnyHashable, let stored = property.read(object) as? AnyHashable,
        found == stored
      else { return nil }
    }
    return name
  }

  private static func samples(of type: Any.Type) -> [Any] {
    switch type {
    case is String.Type, is String?.Type: [" aZ 1", "b"]
    case is Int.Type, is Int?.Type, is Int8.Type, is Int8?.Type, is Int16.Type, is Int16?.Type, is Int32.Type,
      is Int32?.Type, is Int64.Type, is Int64?.Type:
      [-7, 100]
    case is Double.Type, is Double?.Type, is Float.Type, is Float?.Type: [-1.5, 1000]
    case is Bool.Type, is Bool?.Type: [true, false]
    case is Date.Type, is Date?.Type: [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1_000_000)]
    default: []
    }
  }
}
