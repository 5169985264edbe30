/// Iterates over a collection.
///
/// The elements are those that the collection had when the iterator was made: objects that stop to match, or are
/// deleted, during the loop are still visited, objects added during the loop are not. (An object that was added and
/// deleted in one transaction while the loop runs is left out.)
///
/// Objects are handed out without an allocation per element where nobody can tell: see `AccessorReuse`.
///
/// - Complexity: O(1) for each element. Iterating over a scanned filter evaluates it as the loop goes.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// Owns the accessor that is handed out. Every `next` reads it, so it lives as long as the iterator.
  @usableFromInline let walk: ElementWalk
  @usableFromInline var cursor: RowCursor

  init(_ walk: ElementWalk) {
    self.walk = walk
    cursor = RowCursor(walk.context)
  }

  /// An iterator over elements that are made one by one.
  init(next: @escaping () -> Element?) { self.init(ValueWalk(next)) }

  /// The next element, or nil at the end.
  @inlinable @inline(__always)
  public mutating func next() -> Element? {
    if _slowPath(
      cursor.rows == 0
        || cursor.epoch != cursor.context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self))
    {
      if !walk.refill(&cursor) { return takeOther() }
    }
    let bit = UInt64(truncatingIfNeeded: cursor.rows.trailingZeroBitCount)
    cursor.rows &= cursor.rows &- 1
    var address = walk.accessor
    if _fastPath(AccessorReuse.isUnobserved(address, cursor.uniqueWord)) {
      AccessorReuse.retainUnobserved(address, AccessorReuse.sharedWord)
    } else {
      address = walk.renew(&cursor, bit)
    }
    let object = Unmanaged<ObjectBase>.fromOpaque(address).takeRetainedValue()
    object._cluster = cursor.cluster
    object._slot = cursor.firstSlot &+ UInt32(truncatingIfNeeded: bit)
    object._key = cursor.firstKey &+ bit
    object._epoch = cursor.epoch
    return unsafeBitCast(object, to: Element.self)
  }

  @usableFromInline @inline(never)
  func takeOther() -> Element? {
    if walk.isOfValues { return unsafeDowncast(walk, to: ValueWalk<Element>.self).next() }
    guard let object = walk.other else { return nil }
    walk.other = nil
    return unsafeBitCast(object, to: Element.self)
  }
}

/// Up to 64 rows of one cluster that an iterator has not handed out yet.
@usableFromInline
struct RowCursor {
  /// Bit k stands for the row `firstKey + k` in slot `firstSlot + k` of `cluster`.
  @usableFromInline var rows: UInt64 = 0
  @usableFromInline var firstKey: UInt64 = 0
  @usableFromInline var cluster: UnsafeRawPointer
  /// The epoch that `cluster` belongs to.
  @usableFromInline var epoch: UInt64 = 0
  @usableFromInline let context: UnsafeRawPointer
  /// The count word of an accessor that may be handed out again; `.max` when none may.
  @usableFromInline var uniqueWord = UInt64.max
  @usableFromInline var firstSlot: UInt32 = 0

  init(_ context: UnsafeRawPointer) {
    self.context = context
    cluster = context
  }
}

/// Where an iterator gets its elements from. Copies of an iterator share it.
@usableFromInline
class ElementWalk {
  /// The accessor handed out last, owned; `noAccessor` at first.
  @exclusivity(unchecked) @usableFromInline final var accessor = ElementWalk.noAccessor
  /// An element that is not handed out through `accessor`.
  @exclusivity(unchecked) final var other: ObjectBase?
  final let context: UnsafeRawPointer
  final let isOfValues: Bool

  init(context: UnsafeRawPointer, isOfValues: Bool) {
    self.context = context
    self.isOfValues = isOfValues
  }

  /// Looks like an object that is in use.
  static nonisolated(unsafe) let noAccessor: UnsafeMutableRawPointer = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 128)
    return memory
  }()

  /// Finds the next rows. False at the end, and when the next element is not handed out through `accessor`.
  @usableFromInline
  func refill(_ cursor: inout RowCursor) -> Bool { false }

  /// A retained accessor for a row of the cursor, instead of the one that somebody else holds.
  @usableFromInline
  func renew(_ cursor: inout RowCursor, _ bit: UInt64) -> UnsafeMutableRawPointer {
    fatalError("An iterator over values has no accessor.")
  }
}

/// Elements that are made one by one.
final class ValueWalk<Element>: ElementWalk {
  let next: () -> Element?

  init(_ next: @escaping () -> Element?) {
    self.next = next
    super.init(context: UnsafeRawPointer(Self.noAccessor), isOfValues: true)
  }
}
