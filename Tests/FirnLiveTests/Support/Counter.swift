import Synchronization
import Testing

/// Counts on any thread.
final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  func add() { value.add(1, ordering: .acquiringAndReleasing) }
}

/// Waits for what other threads bring about, and fails after ten seconds.
func eventually(_ comment: Comment? = nil, _ isTrue: @Sendable () throws -> Bool) async throws {
  for _ in 0..<2000 {
    if try isTrue() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  #expect(try isTrue(), comment)
}
