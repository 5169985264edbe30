import Foundation

/// A folder beside the program, which is on a real file system where the system's temporary folder may be in memory.
/// Goes away with its last reference.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "firn-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

  /// Files and folders of the same names; on disk, so that writing them does not slow down what is measured next.
  func copy(except isLeftOut: (String) -> Bool = { _ in false }) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where !isLeftOut(name) {
      try FileManager.default.copyItem(at: file(name), to: copy.file(name))
    }
    sync()
    return copy
  }

  /// Writes a file that is on disk when this returns.
  func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = open(file(name).path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try expect(bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }, bytes.count, "written")
    try expect(fsync(descriptor), 0, "outcome of fsync")
  }

  /// Bytes of the files that the folder itself holds.
  func byteCount(ofFilesWhere isCounted: (String) -> Bool) throws -> Int {
    var sum = 0
    for case let name as String in FileManager.default.enumerator(atPath: url.path) ?? .init() where isCounted(name) {
      let attributes = try FileManager.default.attributesOfItem(atPath: file(name).path)
      if attributes[.type] as? FileAttributeType == .typeRegular { sum += attributes[.size] as? Int ?? 0 }
    }
    return sum
  }
}
