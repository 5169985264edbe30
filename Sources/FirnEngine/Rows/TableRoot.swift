/// The root of one table in one version.
///
///     16 height u32 │ 24 rowCount u64 │ 32 top of the directory │ 40 root of the primary key's hash index
///     48 deletionCount u64: rows ever deleted, so that two versions tell whether any was in between
@usableFromInline
package enum TableRoot {
  package static let kind: UInt8 = 16
  static let byteCount = 56

  @inlinable @inline(__always)
  package static func height(_ root: UnsafeRawPointer) -> Int { Int(root.load(fromByteOffset: 16, as: UInt32.self)) }

  @inlinable @inline(__always)
  package static func rowCount(_ root: UnsafeRawPointer) -> Int { Int(root.load(fromByteOffset: 24, as: UInt64.self)) }

  @inlinable @inline(__always)
  package static func top(_ root: UnsafeRawPointer) -> UnsafeRawPointer? {
    root.load(fromByteOffset: 32, as: UnsafeRawPointer?.self)
  }

  @inlinable @inline(__always)
  package static func primaryKeyIndex(_ root: UnsafeRawPointer) -> UnsafeRawPointer? {
    root.load(fromByteOffset: 40, as: UnsafeRawPointer?.self)
  }

  @inlinable @inline(__always)
  package static func deletionCount(_ root: UnsafeRawPointer) -> UInt64 {
    root.load(fromByteOffset: 48, as: UInt64.self)
  }

  static func make(store: BlockStore) -> Block {
    let root = store.allocate(byteCount: byteCount)
    root.blockKind = kind
    (root + 16).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount - 16)
    return root
  }

  static func setHeight(_ root: Block, _ height: Int) {
    root.storeBytes(of: UInt32(height), toByteOffset: 16, as: UInt32.self)
  }

  static func setRowCount(_ root: Block, _ count: Int) {
    root.storeBytes(of: UInt64(count), toByteOffset: 24, as: UInt64.self)
  }

  static func addDeletions(_ root: Block, _ count: Int) {
    root.storeBytes(of: deletionCount(root) &+ UInt64(count), toByteOffset: 48, as: UInt64.self)
  }

  static func setTop(_ root: Block, _ top: Block?) { root.storeBytes(of: top, toByteOffset: 32, as: Block?.self) }

  static func setPrimaryKeyIndex(_ root: Block, _ index: Block?) {
    root.storeBytes(of: index, toByteOffset: 40, as: Block?.self)
  }

  static func mutableTop(_ root: Block) -> Block? { root.load(fromByteOffset: 32, as: Block?.self) }

  static func mutablePrimaryKeyIndex(_ root: Block) -> Block? { root.load(fromByteOffset: 40, as: Block?.self) }
}

/// The root of a version: one pointer per table, hidden tables included, then the roots of the ordered indexes, null for
/// those of empty tables.
@usableFromInline
package enum VersionRoot {
  package static let kind: UInt8 = 17

  @inlinable @inline(__always)
  package static func table(_ root: UnsafeRawPointer, _ table: Int) -> UnsafeRawPointer {
    root.load(fromByteOffset: 16 &+ table &* 8, as: UnsafeRawPointer.self)
  }

  /// The root of the ordered index whose place is `slot`.
  @inline(__always)
  static func index(_ root: UnsafeRawPointer, _ slot: Int) -> UnsafeRawPointer? {
    root.load(fromByteOffset: 16 &+ slot &* 8, as: UnsafeRawPointer?.self)
  }

  static func byteCount(_ layout: GraphLayout) -> Int { 16 + (layout.tables.count + layout.orderedIndexes.count) * 8 }

  static func setTable(_ root: Block, _ table: Int, _ tableRoot: Block) {
    root.storeBytes(of: tableRoot, toByteOffset: 16 + table * 8, as: Block.self)
  }

  static func setIndex(_ root: Block, _ slot: Int, _ indexRoot: Block?) {
    root.storeBytes(of: indexRoot, toByteOffset: 16 + slot * 8, as: Block?.self)
  }

  /// A root over tables, with empty indexes.
  static func make(tables: [Block], layout: GraphLayout, store: BlockStore) -> Block {
    let root = store.allocate(byteCount: byteCount(layout))
    root.blockKind = kind
    for (table, tableRoot) in tables.enumerated() { setTable(root, table, tableRoot) }
    for index in layout.orderedIndexes { setIndex(root, index.slot, nil) }
    return root
  }
}
