import Dispatch
import TestSupport
import Testing

@testable import Firn

extension RealmStore {
  /// Runs a block while nothing moves on the queue of the streams.
  func holdingStreams(_ body: () async throws -> Void) async throws {
    let (held, release) = (Counter(), DispatchSemaphore(value: 0))
    let holding = Task {
      var other = changes { realm in
        held.add()
        release.wait()
        return realm.objects(FacedOwner.self)
      }.makeAsyncIterator()
      return await other.next() != nil
    }
    try await eventually { held.count > 0 }
    try await body()
    for _ in 0..<10 { release.signal() }
    #expect(await holding.value)
  }
}
