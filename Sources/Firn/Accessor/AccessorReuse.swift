public import Synchronization

/// Decides whether an iterator or a link may point the accessor it handed out last at another row, instead of making a
/// new one.
///
/// That is allowed only where nobody can tell: no other strong reference, no weak and no unowned reference to the
/// accessor (the count word, checked for each element), and a class whose instances have nothing of their own to carry
/// over: no stored property besides the persisted ones (`ClassModel.reusesAccessors`, found once per class).
///
/// A `deinit` of the class shows it all the same: it runs once for an accessor that stood for several rows. A class that
/// minds overrides ``ObjectBase/reusesAccessors``.
///
/// The count word is the runtime's inline reference count at offset 8. It equals `uniqueWord` exactly if there is one
/// strong reference and nothing else: unowned references are counted in the same word, and a weak reference replaces
/// the counts by a pointer to a side table, for good. `isKnownUniquelyReferenced` sees neither.
///
/// While the word is `uniqueWord` and the caller owns that one reference, no other thread can reach the object. So the
/// caller may retain by a plain store of `sharedWord`, which saves an atomic operation per element.
public enum AccessorReuse {
  /// The word of an object with one strong reference and no others: bit 0 marks a Swift object, bits 1-31 count unowned
  /// references (one on behalf of all strong ones), bits 33-62 the strong ones beyond the first.
  @inlinable static var uniqueWord: UInt64 { 3 }

  /// The same with two strong references.
  @inlinable static var sharedWord: UInt64 { 3 | 1 << 33 }

  /// True if the reference that the caller owns is the only one of any kind. The object is named by its address, since
  /// loading a reference may retain it.
  ///
  /// The load acquires: what the last other owner did with the accessor happened before.
  @inlinable @inline(__always)
  static func isUnobserved(_ object: UnsafeMutableRawPointer, _ uniqueWord: UInt64) -> Bool {
    (object + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring) == uniqueWord
  }

  /// Adds a strong reference to an object that `isUnobserved`, without an atomic read-modify-write.
  @inlinable @inline(__always)
  static func retainUnobserved(_ object: UnsafeMutableRawPointer, _ sharedWord: UInt64) {
    (object + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(sharedWord, ordering: .relaxed)
  }

  private final class Probe {}

  /// Whether a probe has these words, so that the runtime is the one this was written for. Where it is not, no class is
  /// reused.
  static let isKnown: Bool = {
    let learned = learnWords()
    return learned.unique == uniqueWord && learned.shared == sharedWord && learned.again == uniqueWord
  }()

  /// Unoptimised: the optimiser would put the probe on the stack, which gives it another word, and drop a retain whose
  /// release follows.
  @_optimize(none)
  private static func learnWords() -> (unique: UInt64, shared: UInt64, again: UInt64) {
    let probe = Unmanaged.passRetained(Probe())
    let word = (probe.toOpaque() + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    let unique = word.pointee.load(ordering: .acquiring)
    _ = probe.retain()
    let shared = word.pointee.load(ordering: .acquiring)
    probe.release()
    let again = word.pointee.load(ordering: .acquiring)
    probe.release()
    return (unique, shared, again)
  }
}
