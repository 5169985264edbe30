/// A segment of the journal that this process writes.
final class Segment: Sendable {
  let sequence: UInt64
  let file: any StoreFile
  /// The length that was allotted. A commit that is longer makes the file grow.
  let byteCount: Int
  let salt: FileSalt

  private init(sequence: UInt64, salt: FileSalt, file: any StoreFile, byteCount: Int) {
    self.sequence = sequence
    self.salt = salt
    self.file = file
    self.byteCount = byteCount
  }

  /// What is done when the disk is nearly full.
  enum Shortage {
    /// The segment is refused, also when fewer bytes than these would be left behind it.
    case refuse(spareByteCount: Int)
    /// The segment is made as long as half of the room that there is.
    case shorten
  }

  /// The length of the shortest segment that is worth its name.
  static var byteCountMin: Int { 4_096 }

  /// Creates a segment of zeros that is on disk, with its name, when this returns. If that fails, no file is left.
  static func allot(
    _ sequence: UInt64, salt: FileSalt, in folder: String, byteCount: Int, _ shortage: Shortage,
    fileSystem: any FileSystem
  ) throws(DiskError) -> Segment {
    let path = "\(folder)/\(JournalFormat.segmentName(sequence))"
    let file = try fileSystem.open(path, .createNew)
    do throws(DiskError) {
      let allotted = try fill(file, byteCount, shortage)
      try file.synchronize()
      try fileSystem.synchronizeFolder(folder)
      return Segment(sequence: sequence, salt: salt, file: file, byteCount: allotted)
    } catch {
      try? fileSystem.remove(path)
      throw error
    }
  }

  private static func fill(_ file: any StoreFile, _ byteCount: Int, _ shortage: Shortage) throws(DiskError) -> Int {
    do throws(DiskError) {
      guard case .refuse(let spareByteCount) = shortage, spareByteCount > 0 else {
        try writeZeros(file, 0..<byteCount)
        return byteCount
      }
      try writeZeros(file, 0..<byteCount + spareByteCount)
      try file.truncate(to: byteCount)
      return byteCount
    } catch {
      guard case .shorten = shortage, error.isLackOfRoom else { throw error }
      // The other half is for the checkpoint that frees the rest.
      let half = try file.size() / 2
      let shortened = half - half % byteCountMin
      if shortened < byteCountMin { throw error }
      try file.truncate(to: shortened)
      return shortened
    }
  }

  /// Makes sure of room for a commit that is longer than what was allotted. Throws if there is none; the segment then is
  /// what it was.
  ///
  /// - Parameter isShort: Whether room is scarce. Then it is written to, which takes it whatever the file system.
  func extend(to end: Int, isShort: Bool) throws(DiskError) {
    do throws(DiskError) {
      if isShort {
        try Segment.writeZeros(file, byteCount..<end)
        try file.synchronize()
      } else {
        try file.reserve(byteCount..<end)
      }
    } catch {
      try? file.truncate(to: byteCount)
      throw error
    }
  }

  private static func writeZeros(_ file: any StoreFile, _ range: Range<Int>) throws(DiskError) {
    let zeros = [UInt8](repeating: 0, count: min(range.count, 1 << 20))
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(zeros.count, range.upperBound - offset)
      try file.write(count == zeros.count ? zeros : [UInt8](zeros[..<count]), at: offset)
      offset += count
    }
  }
}
