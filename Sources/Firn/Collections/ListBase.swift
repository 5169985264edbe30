public import FirnEngine

/// What a ``List`` does with elements that are already in their stored form.
public class ListBase: CollectionBase {
  override class var _kindName: String { "List" }

  @inlinable
  final var _managedCount: Int { _withRoot { ListTree.count($0) } }

  /// Inserts stored elements; at the end when `index` is nil.
  @usableFromInline
  final func _insertStored(
    _ elements: UnsafeRawPointer, _ nulls: UnsafePointer<Bool>?, _ count: Int, at index: Int?, _ target: _ElementTarget
  ) {
    let table = _table.unsafelyUnwrapped.table
    target.writer.insert(
      elements: elements, nulls: nulls, count: count, at: index ?? _managedCount, of: _column, of: RowKey(_key),
      in: table)
  }

  /// Replaces an element by a stored one; nil is null.
  @usableFromInline
  final func _replaceStored(_ element: UnsafeRawPointer?, at index: Int, _ target: _ElementTarget) {
    target.writer.replace(
      at: index, withElement: element, of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// Whether an embedded object is assigned to the position where it is already, or a collection in a mixed value that
  /// equal writes are skipped for.
  @usableFromInline
  final func _isInPlace(_ element: Any, at index: Int, _ target: _ElementTarget) -> Bool {
    let table = _table.unsafelyUnwrapped
    if let value = element as? AnyRealmValue {
      return target.instance.skips(value, target.writer) {
        $0.listValue(at: index, of: _column, of: RowKey(_key), in: table.table)
      }
    }
    guard let owned = target.table, owned.layout.isOwned, let object = element as? ObjectBase, object._table === owned
    else { return false }
    return _withRoot { root in
      guard let root else { return false }
      return ListTree.get(root, index, table.layout.listShape(_column.index)).loadUnaligned(as: UInt64.self)
        == object._key
    }
  }
}
