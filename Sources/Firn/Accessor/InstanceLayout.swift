internal import CFirn
internal import Synchronization

/// How the instances of a class lie in memory, as its metadata has it.
///
/// The metadata of a class has its superclass at offset 8, and then
///
///     16  flags
///     20  where the address of an instance points to, from its start
///     24  size of an instance
///     28  its alignment, less one, in 16 bits
///
/// That is so on systems without Objective-C, and `isKnown` checks it.
struct InstanceLayout: Sendable {
  let type: AnyClass
  let size: Int
  let alignmentMask: Int

  static var headerSize: Int { Int(FIRN_OBJECT_HEADER) }

  /// Nil for a class whose instances begin before their address.
  init?(of type: AnyClass) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let start = metadata.load(fromByteOffset: 20, as: UInt32.self)
    let size = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
    guard start == 0, size >= Self.headerSize else { return nil }
    self.type = type
    self.size = size
    alignmentMask = Int(metadata.load(fromByteOffset: 28, as: UInt16.self))
  }

  /// A new instance, with one reference that the caller owns.
  ///
  /// - Parameter image: `size` bytes, of which those behind the header are copied. They must be a value of each field
  ///   that refers to nothing.
  @inline(__always)
  func copy(_ image: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    firn_copy_instance(unsafeBitCast(type, to: UnsafeRawPointer.self), image, size, alignmentMask).unsafelyUnwrapped
  }

  // MARK: Checking the runtime

  private class ProbeBase {
    final var first: UInt64 = 1
  }

  private final class Probe: ProbeBase {
    var second: UInt32 = 2
    var third: UInt64 = 0
    weak var observer: ProbeBase?
    deinit { InstanceLayout.goneSum.add(third, ordering: .relaxed) }
  }

  /// The sum of `third` of the probes that are gone.
  private static let goneSum = Atomic<UInt64>(0)

  /// Whether an object that is copied from an image is one like any other: it is of its class, it is counted, referred to
  /// weakly, and goes when nobody has it any more. Where it is not, no class has an image.
  static let isKnown: Bool = check()

  /// Unoptimised: the optimiser would drop a retain whose release follows.
  @_optimize(none)
  private static func check() -> Bool {
    #if _runtime(_ObjC)
      return false
    #else
      let fields = RuntimeFields.fields(of: Probe.self)
      guard MemoryLayout<Int>.size == 8, let layout = InstanceLayout(of: Probe.self),
        fields.map(\.offset) == [16, 24, 32, 40], layout.size == 48, layout.alignmentMask == 7
      else { return false }
      // The weak reference is nil, which is all zero, and the header is not to be looked at.
      let image: [UInt64] = [.max, .max, 5, 6, 7, 0]
      guard var probe = image.withUnsafeBytes({ $0.baseAddress.map { layout.probe($0) } }) else { return false }
      let isFilled = probe.first == 5 && probe.second == 6 && probe.third == 7 && probe.observer == nil
      let isSingle = isKnownUniquelyReferenced(&probe)
      var other: Probe? = probe
      let isShared = !isKnownUniquelyReferenced(&probe)
      other = nil
      let isSingleAgain = other == nil && isKnownUniquelyReferenced(&probe)
      let isOfItsClass = (probe as AnyObject) is Probe && Swift.type(of: probe) == Probe.self
      let watcher = Probe()
      watcher.observer = probe
      let isSeen = watcher.observer === probe
      probe = watcher
      return isFilled && isSingle && isShared && isSingleAgain && isOfItsClass && isSeen && watcher.observer == nil
        && goneSum.load(ordering: .relaxed) == 7
    #endif
  }

  private func probe(_ image: UnsafeRawPointer) -> Probe {
    Unmanaged<Probe>.fromOpaque(copy(image)).takeRetainedValue()
  }
}
