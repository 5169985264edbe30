/// What goes wrong with positions in collections.
enum PositionFailure {
  /// - Parameter owner: Which collection it is.
  static func index(_ index: Int, _ count: Int, _ owner: String) -> Never {
    if index < 0 { fatalError("Cannot pass a negative value (\(index)) as the index of a collection. (\(owner))") }
    fatalError("Index \(index) is out of bounds (must be less than \(count)). (\(owner))")
  }
}

extension CollectionBase {
  /// Traps for a position that the collection does not have.
  @usableFromInline @inline(never)
  final func _trap(index: Int, _ count: Int) -> Never { PositionFailure.index(index, count, _nameInMessages) }

  /// Traps for more elements at an end than there are.
  final func _trap(removing number: Int, _ count: Int) -> Never {
    if number < 0 {
      fatalError("Cannot remove a negative number (\(number)) of objects from a List. (\(_nameInMessages))")
    }
    fatalError(
      "It is not possible to remove more objects (\(number)) from a list than it already contains (\(count)). "
        + "(\(_nameInMessages))")
  }

  private final var _nameInMessages: String {
    _instance == nil ? "an unmanaged \(type(of: self))" : _propertyName
  }
}
