import FirnEngine
import Glibc

/// A thread that can be joined.
final class TestThread: @unchecked Sendable {
  // State   guarded by
  // handle  written by init before the thread is known, read by the one who joins
  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    let code = pthread_create(
      &handle, nil,
      { pointer in
        Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    if code != 0 { fatalError("No thread could be started.") }
  }

  func join() { pthread_join(handle, nil) }

  private final class Body: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
