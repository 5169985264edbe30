internal import CFirn

/// A reference that does not keep its object, for lists that the object leaves in its deinit.
///
/// Unlike a weak reference it gives the object no side table, with which every later retain and release would take
/// several times as long. In exchange the object must be asked for under the lock under which its deinit takes the
/// reference off the list, and must not be released there: that might be the last release.
struct Unretained<Object: AnyObject>: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer

  init(_ object: Object) { address = Unmanaged.passUnretained(object).toOpaque() }

  /// From ``bits``.
  init(bits: UInt) { address = UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped }

  var bits: UInt { UInt(bitPattern: address) }

  /// The object, or nil when its deinit has begun.
  var object: Object? { swift_tryRetain(address).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() } }

  func refers(to other: Object) -> Bool { address == Unmanaged.passUnretained(other).toOpaque() }
}
