import Foundation

/// A folder for the stores of a test, removed with the last reference.
final class TemporaryFolder: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("board-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The address of a store that is not there yet.
  func newFile() -> URL { url.appendingPathComponent("\(UUID().uuidString).firn") }
}
