internal import Foundation

// Access by name in the forms that classes of Objective-C have.
extension ObjectBase {
  /// The value that a path of names leads to: through links, which gives nil where one is nil, through collections,
  /// which gives an array, and with the operators of ``RealmCollection/value(forKeyPath:)``. Values come as
  /// `subscript(key:)` has them.
  ///
  /// Traps for a name that is none of a property.
  public final func value(forKeyPath keyPath: String) -> Any? { KeyPathWalk.found(from: self, keyPath) }

  /// Sets what a path of names leads to, as `subscript(key:)` does: a property behind links, that of each object behind
  /// a collection, or the value of a map's key. Does nothing where a link is nil.
  ///
  /// Traps for a name that is none of a property, and where setting the property itself would.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let owner = KeyPathWalk.value(of: self, String(keyPath[..<dot]))
    KeyPathWalk.set(value, String(keyPath[dot...].dropFirst()), of: owner)
  }

  /// Sets properties by name, as `subscript(key:)` does; `NSNull` stands for nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value, forKey: key) }
  }

  /// The values of properties by name, as `subscript(key:)` has them; `NSNull` stands for nil.
  ///
  /// Traps for a name that is none of a property.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }
}
