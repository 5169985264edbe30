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
