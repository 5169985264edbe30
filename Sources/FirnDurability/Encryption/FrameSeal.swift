/// Seals and opens the frames of a segment, in order: each is bound to the tag of the one before it, the first one to the check value
/// of the header.
struct FrameSeal: Sendable {
  private let file: FileSeal
  private var previousTag: SealTag

  init(_ file: FileSeal) {
    self.file = file
    previousTag = file.check
  }

  /// Encrypts what stands behind the header of a frame.
  ///
  /// - Parameters:
  ///   - frame: The header, which is complete, the content, and room for the tag.
  ///   - offset: Where the frame begins in the segment. Nothing else may ever be sealed there.
  mutating func seal(_ frame: UnsafeMutableRawBufferPointer, at offset: Int) {
    let context = context(frame)
    let content = content(frame)
    file.seal(content, at: offset, context: context)
    moveOn(content)
  }

  /// Decrypts what ``seal(_:at:)`` made. False when it is not what comes next in this segment.
  mutating func open(_ frame: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    let content = content(frame)
    guard file.open(content, at: offset, context: context(frame)) else { return false }
    moveOn(content)
    return true
  }

  private func content(_ frame: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: frame[JournalFormat.frameHeaderByteCount...])
  }

  private func context(_ frame: UnsafeMutableRawBufferPointer) -> [UInt8] {
    withUnsafeBytes(of: (previousTag.low.littleEndian, previousTag.high.littleEndian)) { [UInt8]($0) }
      + frame[..<JournalFormat.frameHeaderByteCount]
  }

  private mutating func moveOn(_ content: UnsafeMutableRawBufferPointer) {
    previousTag = SealTag(UnsafeRawBufferPointer(rebasing: content.suffix(SealTag.byteCount)))
  }
}
