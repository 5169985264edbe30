internal import CFirn

/// Where the accessors of a realm find what they need: raw memory, so that reading it costs a load and nothing else.
///
///      0 owner         address of the home thread; 0 for realms of queues, actors and tasks, 1 for those whose reads are
///                      tracked, whatever they belong to. Never changes
///      8 epoch         grows when cached clusters may be stale. Home thread only
///     16 writeVersion  version of the running transaction, .max outside of one. Home thread only
///     24 root          root that the home thread reads. Home thread only
///     64 awayRoot      root of the last committed version, for everybody else. Atomic
///     72 isAdvancing   1 while the realm moves to another version. Atomic
///     80 writingThread thread that runs the write transaction, 0 outside of one. Atomic
///     88 isReleased    1 from `invalidate()` on until the realm is used again; of a frozen realm for ever. Atomic
///     96 generation    grows when collections are invalidated that exist; bit 63 where reads are tracked. Atomic
///    104 tracking      the `RealmTracking`, if reads are tracked. Never changes
///    112 home          address of the home thread, or 0, where reads are tracked. Never changes
///
/// The last words are on a cache line of their own. Who is not at home announces the context in the line of its
/// thread (`firn_reader_begin`), then loads `awayRoot`; the realm lets a version go only after it changed `awayRoot` and
/// saw no announcement (the scheme of hazard pointers: M. Michael, 2004).
@usableFromInline
package enum RealmContext {
  @inlinable package static var epochOffset: Int { 8 }
  @inlinable package static var writeVersionOffset: Int { 16 }
  @inlinable package static var rootOffset: Int { 24 }
  static var awayRootOffset: Int { 64 }
  static var isAdvancingOffset: Int { 72 }
  static var writingThreadOffset: Int { 80 }
  static var isReleasedOffset: Int { 88 }
  static var generationOffset: Int { 96 }
  private static var trackingOffset: Int { 104 }
  private static var homeOffset: Int { 112 }

  /// What stands in place of the owner where reads are tracked, so that they take the slow path. No address.
  @inlinable package static var trackedOwner: UInt { 1 }
  static var trackedGeneration: UInt64 { 1 << 63 }

  static func make(owner: UnsafeMutableRawPointer?, root: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let context = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
    context.initializeMemory(as: UInt64.self, repeating: 0, count: 16)
    context.storeBytes(of: owner, as: UnsafeMutableRawPointer?.self)
    context.storeBytes(of: 1, toByteOffset: epochOffset, as: UInt64.self)
    context.storeBytes(of: .max, toByteOffset: writeVersionOffset, as: UInt64.self)
    context.storeBytes(of: root, toByteOffset: rootOffset, as: UnsafeRawPointer.self)
    setAwayRoot(context, root)
    return context
  }

  /// Lets the reads of a realm that nobody else refers to yet be tracked from now on.
  static func track(_ context: UnsafeMutableRawPointer, by tracking: RealmTracking) {
    let home = context.load(as: UnsafeMutableRawPointer?.self)
    context.storeBytes(of: home, toByteOffset: homeOffset, as: UnsafeMutableRawPointer?.self)
    context.storeBytes(of: trackedOwner, as: UInt.self)
    let address = Unmanaged.passUnretained(tracking).toOpaque()
    context.storeBytes(of: address, toByteOffset: trackingOffset, as: UnsafeMutableRawPointer.self)
    word(context, generationOffset).pointee |= trackedGeneration
  }

  static func isTracked(_ context: UnsafeRawPointer) -> Bool { context.load(as: UInt.self) == trackedOwner }

  /// Whether the calling thread is at home, where reads are tracked.
  static func isTrackedHome(_ context: UnsafeRawPointer) -> Bool {
    context.load(fromByteOffset: homeOffset, as: UnsafeMutableRawPointer?.self) == firn_thread_pointer()
  }

  /// Not retained: the realm keeps it.
  static func tracking(_ context: UnsafeRawPointer) -> Unmanaged<RealmTracking> {
    .fromOpaque(context.load(fromByteOffset: trackingOffset, as: UnsafeRawPointer.self))
  }

  static func word(_ context: UnsafeRawPointer, _ offset: Int) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer(mutating: context + offset).assumingMemoryBound(to: UInt64.self)
  }

  static func setAwayRoot(_ context: UnsafeRawPointer, _ root: UnsafeRawPointer) {
    _ = firn_atomic_exchange_seq_cst(word(context, awayRootOffset), UInt64(UInt(bitPattern: root)))
  }

  static func awayRoot(_ context: UnsafeRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: UInt(firn_atomic_load_seq_cst(word(context, awayRootOffset)))).unsafelyUnwrapped
  }

  /// Whether the calling thread runs the write transaction. A thread only ever needs to recognise its own address.
  static func isWritingHere(_ context: UnsafeRawPointer) -> Bool {
    let thread = UInt64(UInt(bitPattern: firn_thread_pointer()))
    return firn_atomic_load_relaxed(word(context, writingThreadOffset)) == thread
  }

  static func setWritingThread(_ context: UnsafeRawPointer, _ thread: UnsafeMutableRawPointer?) {
    firn_atomic_store_relaxed(word(context, writingThreadOffset), UInt64(UInt(bitPattern: thread)))
  }

  static func isReleased(_ context: UnsafeRawPointer) -> Bool {
    firn_atomic_load_relaxed(word(context, isReleasedOffset)) != 0
  }

  static func setReleased(_ context: UnsafeRawPointer, _ value: Bool) {
    firn_atomic_store_relaxed(word(context, isReleasedOffset), value ? 1 : 0)
  }

  static func generation(_ context: UnsafeRawPointer) -> UInt64 {
    firn_atomic_load_relaxed(word(context, generationOffset))
  }

  static func beginGeneration(_ context: UnsafeRawPointer) {
    firn_atomic_store_relaxed(word(context, generationOffset), generation(context) &+ 1)
  }

  static func isAdvancing(_ context: UnsafeRawPointer) -> Bool {
    firn_atomic_load_acquire(word(context, isAdvancingOffset)) != 0
  }

  static func setAdvancing(_ context: UnsafeRawPointer, _ value: Bool) {
    _ = firn_atomic_exchange_seq_cst(word(context, isAdvancingOffset), value ? 1 : 0)
  }
}
