/// A persistent map from byte strings to values: a sorted tree of keys and a tree of values in the same order.
///
///     ┌────────┬──────────┬────────────┐
///     │ header │ keys     │ values     │
///     │        │ ListTree │ ListTree   │
///     └────────┴──────────┴────────────┘
///     0        16         24         32
///
/// Neither tree is ever empty: a map without entries is nil. Keys are `Blob`s that ascend by their bytes; the value of the
/// key at position k is the value at position k, in the shape of the column. Finding, setting and removing are O(log n).
@usableFromInline
package enum MapTree {
  static var kind: UInt8 { 21 }
  static var byteCount: Int { 32 }

  /// What keys look like in their tree.
  @inlinable
  package static var keyShape: ListShape { ListShape(width: 8, ownsBlobs: true) }

  /// The number of entries, O(1).
  @inlinable @inline(__always)
  package static func count(_ root: UnsafeRawPointer?) -> Int { ListTree.count(keys(root)) }

  /// The `ListTree` of the keys.
  @inlinable @inline(__always)
  package static func keys(_ root: UnsafeRawPointer?) -> UnsafeRawPointer? {
    root?.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
  }

  /// The `ListTree` of the values, position by position those of the keys.
  @inlinable @inline(__always)
  package static func values(_ root: UnsafeRawPointer?) -> UnsafeRawPointer? {
    root?.load(fromByteOffset: 24, as: UnsafeRawPointer?.self)
  }

  /// The key at a position below the count.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package static func key(_ root: UnsafeRawPointer, at index: Int) -> Blob {
    Blob(word: ListTree.get(keys(root).unsafelyUnwrapped, index, keyShape).loadUnaligned(as: UInt64.self))
  }

  /// Where a key is, or where it would have to be inserted.
  ///
  /// - Complexity: O(log n).
  package static func position(
    of key: UnsafeRawBufferPointer, in root: UnsafeRawPointer?
  ) -> (index: Int, isPresent: Bool) { SetTree.position(ofBytes: key, in: keys(root), shape: keyShape) }

  /// Traps when the structure is broken or keys do not ascend.
  package static func checkInvariants(_ root: UnsafeRawPointer?, _ shape: ListShape) {
    guard let root else { return }
    if root.blockKind != kind { fatalError("MapTree: not a map") }
    if count(root) == 0 { fatalError("MapTree: a map without entries") }
    if count(root) != ListTree.count(values(root)) { fatalError("MapTree: keys without values") }
    SetTree.checkInvariants(keys(root), type: .string, shape: keyShape)
    ListTree.checkInvariants(values(root), shape)
  }
}

// MARK: - Changes, for the writer only

extension MapTree {
  /// A map of a tree of keys and one of values, which it takes over; nil when they are empty.
  static func make(keys: Block?, values: Block?, _ store: BlockStore) -> Block? {
    guard let keys, let values else { return nil }
    let root = store.allocate(byteCount: byteCount)
    root.blockKind = kind
    set(root, keys: keys, values: values)
    return root
  }

  /// Inserts an entry at a position where its key belongs. The map takes over the value's blob.
  static func insert(
    _ root: Block?, at index: Int, key: UnsafeRawBufferPointer, _ value: UnsafeRawPointer?, _ shape: ListShape,
    _ store: BlockStore
  ) -> Block? {
    var word = Blob.make(key, store).word
    let keys = ListTree.insert(mutable(keys(root)), at: index, &word, keyShape, store)
    let values = ListTree.insert(mutable(values(root)), at: index, value, shape, store)
    guard let root else { return make(keys: keys, values: values, store) }
    let owned = owned(root, store)
    set(owned, keys: keys, values: values)
    return owned
  }

  /// Replaces the value at a position; nil is null.
  static func replace(
    _ root: Block, at index: Int, _ value: UnsafeRawPointer?, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    let values = ListTree.set(mutable(values(root)).unsafelyUnwrapped, index, value, shape, store)
    let owned = owned(root, store)
    owned.storeBytes(of: values, toByteOffset: 24, as: Block.self)
    return owned
  }

  /// Takes an entry out.
  static func remove(_ root: Block, at index: Int, _ shape: ListShape, _ store: BlockStore) -> Block? {
    let keys = ListTree.remove(mutable(keys(root)).unsafelyUnwrapped, at: index, keyShape, store)
    let values = ListTree.remove(mutable(values(root)).unsafelyUnwrapped, at: index, shape, store)
    guard let keys, let values else {
      store.retire(root)
      return nil
    }
    let owned = owned(root, store)
    set(owned, keys: keys, values: values)
    return owned
  }

  /// Gives up every block of the map and its blobs.
  static func retireAll(_ root: Block?, _ shape: ListShape, _ store: BlockStore) {
    guard let root else { return }
    ListTree.retireAll(mutable(keys(root)), keyShape, store)
    ListTree.retireAll(mutable(values(root)), shape, store)
    store.retire(root)
  }

  private static func owned(_ root: Block, _ store: BlockStore) -> Block {
    store.owns(root) ? root : store.replace(root, usedByteCount: byteCount, capacity: byteCount)
  }

  private static func set(_ root: Block, keys: Block, values: Block) {
    root.storeBytes(of: keys, toByteOffset: 16, as: Block.self)
    root.storeBytes(of: values, toByteOffset: 24, as: Block.self)
  }

  private static func mutable(_ tree: UnsafeRawPointer?) -> Block? { tree.map { Block(mutating: $0) } }
}
