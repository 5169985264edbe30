import Foundation

/// A file that records are appended to, allotted before and begun again at its end: no record changes its length.
final class LogFile {
  private static let byteCountMax = 4 << 20
  private let folder: TemporaryFolder
  private let descriptor: Int32
  private var end = 0

  init() throws {
    folder = try TemporaryFolder()
    descriptor = open(folder.file("log").path, O_RDWR | O_CREAT, 0o600)
    try expect(descriptor >= 0, true, "a log file is there")
    let zeros = [UInt8](repeating: 0, count: Self.byteCountMax)
    try expect(pwrite(descriptor, zeros, zeros.count, 0), zeros.count, "bytes allotted")
    try expect(fsync(descriptor), 0, "outcome of fsync")
  }

  deinit { close(descriptor) }

  /// One system call.
  func append(_ record: [UInt8]) throws {
    if end + record.count > Self.byteCountMax { end = 0 }
    let count = pwrite(descriptor, record, record.count, off_t(end))
    guard count == record.count else { throw WrongAnswer(description: "a record could not be written") }
    end += count
  }

  func synchronize() throws {
    guard fdatasync(descriptor) == 0 else { throw WrongAnswer(description: "a log could not be synchronized") }
  }
}
