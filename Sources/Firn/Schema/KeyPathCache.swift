internal import FirnEngine

/// Keeps a value that was found out for a key path on a class.
///
/// It is emptied when it holds 4,096 values, because a key path with a subscript may be another one each time.
final class KeyPathCache<Value>: Sendable {
  private struct Key: Hashable {
    let keyPath: AnyKeyPath
    let type: ObjectIdentifier
  }

  private let values = Guarded<[Key: Value]>([:])

  /// Returns the value that is kept, or finds and keeps it.
  func value(of keyPath: AnyKeyPath, on type: ObjectBase.Type, orFind find: () -> Value) -> Value {
    let key = Key(keyPath: keyPath, type: ObjectIdentifier(type))
    if let value = values.withLock({ $0[key] }) { return value }
    // Outside the lock: this runs code of the user.
    let value = find()
    values.withLock { values in
      if values.count >= 4096 { values.removeAll() }
      values[key] = value
    }
    return value
  }
}
