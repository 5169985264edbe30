/// A segment of the journal that this process writes.
final class Segment: Sendable {
  let sequence: UInt64
  let file: any StoreFile
  /// The length that was allotted. A commit that is longer makes the file grow.
  let byteCount: Int

  private init(sequence: UInt64, file: any StoreFile, byteCount: Int) {
    self.sequence = sequence
    self.file = file
    self.byteCount = byteCount
  }

  /// Creates a segment of zeros that is on disk, with its name, when this returns.
  static func allot(
    _ sequence: UInt64, in folder: String, byteCount: Int, fileSystem: any FileSystem
  ) throws(DiskError) -> Segment {
    let file = try fileSystem.open("\(folder)/\(JournalFormat.segmentName(sequence))", .createEmpty)
    let zeros = [UInt8](repeating: 0, count: min(byteCount, 1 << 20))
    var offset = 0
    while offset < byteCount {
      let count = min(zeros.count, byteCount - offset)
      try file.write(count == zeros.count ? zeros : [UInt8](zeros[..<count]), at: offset)
      offset += count
    }
    try file.synchronize()
    try fileSystem.synchronizeFolder(folder)
    return Segment(sequence: sequence, file: file, byteCount: byteCount)
  }
}
