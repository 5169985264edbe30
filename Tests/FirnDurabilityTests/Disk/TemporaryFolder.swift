import FirnDurability
import Glibc

/// Calls `body` with a new folder on the real disk, which is removed afterwards with the files in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  var bytes = "/tmp/firn-XXXXXX".utf8CString
  guard bytes.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else { fatalError("No folder") }
  let path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { removeAll(path) }
  try body(path)
}

private func removeAll(_ path: String) {
  let disk = PosixFileSystem()
  for name in (try? disk.list(path)) ?? [] { removeAll("\(path)/\(name)") }
  if (try? disk.remove(path)) == nil { try? disk.removeFolder(path) }
}
