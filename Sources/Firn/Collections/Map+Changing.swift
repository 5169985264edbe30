extension Map {
  /// Stores a value for a key, in place of the one that it has.
  ///
  /// An unmanaged object is added to the realm. Traps for an object of another realm, and when the map is managed for a
  /// key that begins with `$` or contains `.`, and outside of a write transaction.
  @inlinable
  public func updateValue(_ value: Value, forKey key: Key) {
    if _context == nil {
      _entries[ExactKey(key)] = value
      return
    }
    let key = key._mapKey
    let target = _beginMutation()
    _check(key)
    if _target != nil, _isInPlace(value, forKey: key, target) { return }
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let address = bytes.baseAddress.unsafelyUnwrapped
      _setStored(Value._storeElement(value, address, target) ? UnsafeRawPointer(address) : nil, forKey: key, target)
    }
  }

  /// Stores a value for a key, in the forms that ``Realm/create(_:value:update:)`` takes; nil where values are optional
  /// is stored, else it removes the entry.
  ///
  /// Traps for a value that the map cannot hold, and where ``updateValue(_:forKey:)`` does.
  public func setValue(_ value: Any?, forKey key: String) {
    let key = Key(_mapKey: key)
    guard let given = value.flatMap({ Unwrapping.value($0) }) else {
      guard let null = Value._null else {
        return removeObject(for: key)
      }
      return updateValue(null, forKey: key)
    }
    guard let converted = Value._given(given) else {
      fatalError("Invalid value '\(given)' of type '\(type(of: given))' for a value of 'Map<String, \(Value.self)>'.")
    }
    updateValue(converted, forKey: key)
  }

  /// Removes the entry of a key; nothing happens when there is none. An object itself stays in the realm.
  ///
  /// Traps outside of a write transaction when the map is managed.
  @inlinable
  public func removeObject(for key: Key) {
    if _context == nil {
      _entries[ExactKey(key)] = nil
      return
    }
    _removeStored(key._mapKey)
  }

  /// Removes every entry. Objects themselves stay in the realm.
  ///
  /// Traps outside of a write transaction when the map is managed.
  public func removeAll() {
    if _context == nil { return _entries.removeAll() }
    _removeAllStored()
  }

  /// Stores entries one after the other; where a key is there already, what `combine` makes of the current and the new
  /// value.
  ///
  /// When `combine` throws, the entries before stay stored.
  public func merge<S: Sequence>(
    _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in sequence {
      if let current = self[key] {
        updateValue(try combine(current, value), forKey: key)
      } else {
        updateValue(value, forKey: key)
      }
    }
  }

  /// Stores the entries of another map; see `merge(_:uniquingKeysWith:)`.
  public func merge(
    _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(other.entries, uniquingKeysWith: combine)
  }
}
