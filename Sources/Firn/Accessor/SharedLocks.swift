internal import FirnEngine

/// A few locks for the states of very many objects, each of which always has the same one. A lock of its own would be most
/// of what some of these objects take.
///
/// What runs under a lock must not come to another object's.
struct SharedLocks {
  // The numbers mean nothing: ThreadSanitizer takes the address of an empty state for that of what lies behind it.
  private let locks = (0..<16).map { _ in Guarded(0) }

  @inline(__always)
  func withLock<Result>(of object: AnyObject, _ body: () -> Result) -> Result {
    locks[Int(bitPattern: Unmanaged.passUnretained(object).toOpaque()) >> 5 & 15].withLock { _ in body() }
  }
}
