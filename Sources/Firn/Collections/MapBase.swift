internal import FirnEngine

/// What a ``Map`` does with keys and values that are already in their stored form; a nil value stands for null.
///
/// A stored map is a list of keys in ascending order of their bytes, beside a list of the values in the same order.
public class MapBase: CollectionBase {
  override class var _kindName: String { "Map" }

  @usableFromInline
  final var _managedCount: Int { _withRoot { MapTree.count($0) } }

  /// Calls `body` with the bytes of the value of a key, and whether it is null. Not if there is no such key.
  @usableFromInline
  final func _withValue(of key: String, _ body: (UnsafeRawPointer, Bool) -> Void) {
    let shape = _table.unsafelyUnwrapped.layout.listShape(_column.index)
    var key = key
    key.withUTF8 { bytes in
      _withRoot { root in
        guard let root else { return }
        let place = MapTree.position(of: UnsafeRawBufferPointer(bytes), in: root)
        guard place.isPresent, let values = MapTree.values(root) else { return }
        body(ListTree.get(values, place.index, shape), ListTree.isNull(values, place.index, shape))
      }
    }
  }

  /// Stores a value for a key.
  @usableFromInline
  final func _setStored(_ value: UnsafeRawPointer?, forKey key: String, _ target: _ElementTarget) {
    var key = key
    key.withUTF8 { bytes in
      _ = target.writer.set(
        element: value, forKey: UnsafeRawBufferPointer(bytes), ofMap: _column, of: RowKey(_key),
        in: _table.unsafelyUnwrapped.table)
    }
  }

  /// Whether an embedded object is assigned to the key that has it already, or a collection in a mixed value that equal
  /// writes are skipped for.
  @usableFromInline
  final func _isInPlace(_ element: Any, forKey key: String, _ target: _ElementTarget) -> Bool {
    let table = _table.unsafelyUnwrapped.table
    func stored(_ contents: GraphContents) -> Value? {
      contents.mapValue(forKey: Array(key.utf8), _column, of: RowKey(_key), in: table)
    }
    if let value = element as? AnyRealmValue { return target.instance.skips(value, target.writer, over: stored) }
    guard let owned = target.table, owned.layout.isOwned, let object = Unwrapping.value(element) as? ObjectBase,
      object._table === owned
    else { return false }
    return target.instance.read(stored) == .link(RowKey(object._key))
  }

  /// Traps for a key that a managed map cannot have.
  @usableFromInline
  final func _check(_ key: String) {
    if let message = Self._problem(with: key) { fatalError("\(message) (\(_propertyName))") }
  }

  /// What is wrong with a key that a managed map is to have; nil for nothing.
  static func _problem(with key: String) -> String? {
    let rule: String
    if key.utf8.first == UInt8(ascii: "$") {
      rule = "must not begin with '$'"
    } else if key.utf8.contains(UInt8(ascii: ".")) {
      rule = "must not contain '.'"
    } else {
      return nil
    }
    return "Invalid map key '\(ShownValue.text(key))': keys \(rule)."
  }

  @usableFromInline
  final func _removeStored(_ key: String) {
    let target = _beginMutation()
    var key = key
    key.withUTF8 { bytes in
      _ = target.writer.removeValue(
        forKey: UnsafeRawBufferPointer(bytes), ofMap: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
    }
  }

  final func _removeAllStored() {
    let target = _beginMutation()
    target.writer.removeAll(of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// The keys in ascending order of their bytes.
  final var _storedKeys: [String] {
    if !_mayRead { return [] }
    let (instance, table) = (_instance.unsafelyUnwrapped, _table.unsafelyUnwrapped)
    return instance.read { contents in
      guard
        let root = contents.listRoot(table.layout.columns[_column.index], of: RowKey(_key), in: table.table)
      else { return [] }
      return Self.keys(of: root)
    }
  }

  static func keys(of root: UnsafeRawPointer) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(MapTree.count(root))
    ListTree.forEach(MapTree.keys(root), as: UInt64.self, MapTree.keyShape) { word in
      keys.append(Blob(word: word).withBytes { String(decoding: $0, as: UTF8.self) })
    }
    return keys
  }
}
