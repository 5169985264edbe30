// What the cell of a collection column leads to.
extension ColumnLayout {
  /// The elements of a list or set, the values of a map: a `ListTree` in the shape of the column.
  @inlinable @inline(__always)
  package func elements(_ root: UnsafeRawPointer?) -> UnsafeRawPointer? {
    storage == .map ? MapTree.values(root) : root
  }

  /// Traps when a collection is broken.
  func checkCollection(_ root: UnsafeRawPointer?, _ shape: ListShape) {
    switch storage {
    case .set: SetTree.checkInvariants(root, type: type, shape: shape)
    case .map: MapTree.checkInvariants(root, shape)
    default: ListTree.checkInvariants(root, shape)
    }
  }

  /// Gives up every block of a collection.
  func retireCollection(_ root: Block?, _ shape: ListShape, _ store: BlockStore) {
    if storage == .map {
      MapTree.retireAll(root, shape, store)
    } else {
      ListTree.retireAll(root, shape, store)
    }
  }

  /// Takes an element, or an entry of a map, out.
  func removeElement(_ root: Block, at index: Int, _ shape: ListShape, _ store: BlockStore) -> Block? {
    storage == .map
      ? MapTree.remove(root, at: index, shape, store) : ListTree.remove(root, at: index, shape, store)
  }
}
