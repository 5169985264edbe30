import FirnDurability
import FirnEngine

/// A file without a disk.
final class MemoryFile: StoreFile {
  private struct State: Sendable {
    var bytes: [UInt8]
    var writesUntilFailure: Int
  }

  let path: String
  private let state: Lock<State>

  /// The write of number `failingWrite` and those after it fail.
  init(_ bytes: [UInt8] = [], failingWrite: Int = .max) {
    path = "memory.firn"
    state = Lock(State(bytes: bytes, writesUntilFailure: failingWrite))
  }

  var bytes: [UInt8] { state.withLock { $0.bytes } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) -> Int {
    let bytes = bytes
    let count = max(0, min(buffer.count, bytes.count - offset))
    if count > 0 {
      bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset...].prefix(count))) }
    }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DiskError) {
    let written = [UInt8](bytes)
    let fails = state.withLock { state in
      state.writesUntilFailure -= 1
      if state.writesUntilFailure < 0 { return true }
      let end = offset + written.count
      if state.bytes.count < end { state.bytes += [UInt8](repeating: 0, count: end - state.bytes.count) }
      state.bytes.replaceSubrange(offset..<end, with: written)
      return false
    }
    if fails { throw DiskError(.noSpace, call: "write", path: path) }
  }

  func synchronizeData() throws(DiskError) {}
  func synchronize() throws(DiskError) {}
  func dropCached() throws(DiskError) {}
  func size() throws(DiskError) -> Int { bytes.count }
  func truncate(to size: Int) throws(DiskError) { state.withLock { $0.bytes = Array($0.bytes.prefix(size)) } }
  func occupiedByteCount() throws(DiskError) -> Int { try size() }

  func modificationTime() -> UInt64? { nil }

  func dataStart(from offset: Int) -> Int { offset }
  func reserve(_ range: Range<Int>) throws(DiskError) {}
  func tryLock() throws(DiskError) -> Bool { true }
  func unlock() {}
  func isLocked() throws(DiskError) -> Bool { false }
  func isRemoved() throws(DiskError) -> Bool { false }
  func isShared() throws(DiskError) -> Bool { false }
}
