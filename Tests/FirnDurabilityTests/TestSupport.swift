import FirnDurability
import FirnEngine
// The simulated disk, threads and random numbers, for all files of the target.
@_exported public import StoreTestSupport

/// Opens a store that saves no checkpoint by itself.
///
/// - Parameter change: Sets what else matters to the test.
func openStore(
  _ path: String, _ schema: [TableDescription], on disk: any FileSystem, segmentByteCount: Int,
  _ change: (inout DurableStore.Options) -> Void = { _ in }
) throws -> DurableStore {
  var options = DurableStore.Options()
  options.checkpointByteCount = .max
  options.checkpointNanoseconds = nil
  options.segmentByteCount = segmentByteCount
  change(&options)
  return try DurableStore.open(path, schema: schema, options: options, seed: HashSeed(1, 2), fileSystem: disk)
}

/// A clock that goes on when a test says so.
final class ManualClock: Sendable {
  private let state = Lock(UInt64(1_800_000_000_000_000_000))

  /// Nanoseconds since 1970.
  var now: UInt64 { state.withLock { $0 } }

  var clock: StoreClock { StoreClock(nanosecondsSince1970: { self.now }, uptimeNanoseconds: { self.now }) }

  func advance(seconds: Double) { state.withLock { $0 += UInt64(seconds * 1e9) } }

  func set(_ nanoseconds: UInt64) { state.withLock { $0 = nanoseconds } }
}
