/// A file of the simulated disk, with or without a name. Guarded by the disk's lock.
final class SimulatedNode {
  static let sectorByteCount = 512

  /// What reading gives.
  var content: [UInt8]
  /// What is there after a crash, whatever else is.
  private(set) var durable: [UInt8]
  /// For each sector that was written since the last sync, what it contained after each write: the disk may have got any
  /// of these.
  private var dirty: [Int: [[UInt8]]] = [:]
  /// The lengths since the last sync.
  private var lengths: [Int] = []
  /// How many names it has.
  var nameCount = 0
  var lockHolder: ObjectIdentifier?

  init(content: [UInt8] = []) {
    self.content = content
    durable = content
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if bytes.isEmpty { return }
    let end = offset + bytes.count
    if end > content.count {
      content.append(contentsOf: repeatElement(0, count: end - content.count))
      lengths.append(end)
    }
    content.withUnsafeMutableBytes {
      $0.baseAddress!.advanced(by: offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    for sector in (offset / Self.sectorByteCount)...((end - 1) / Self.sectorByteCount) {
      dirty[sector, default: []].append(self.sector(sector, of: content))
    }
  }

  func truncate(to size: Int) {
    if size < content.count {
      content.removeLast(content.count - size)
      for sector in dirty.keys where sector * Self.sectorByteCount >= size { dirty[sector] = nil }
    } else {
      content.append(contentsOf: repeatElement(0, count: size - content.count))
    }
    lengths.append(size)
  }

  func synchronize() {
    durable = content
    dirty = [:]
    lengths = []
  }

  /// A sync that failed: of what was to be written some is on disk, and the rest is forgotten.
  func failToSynchronize(_ random: inout SeededRandom) {
    durable = afterCrash(.random, &random)
    dirty = [:]
    lengths = []
  }

  /// What is there after a crash.
  func afterCrash(_ survival: SimulatedDisk.Survival, _ random: inout SeededRandom) -> [UInt8] {
    switch survival {
    case .nothing: return durable
    case .everything: return dirty.isEmpty && lengths.isEmpty ? durable : survivors(100, &random)
    case .random: return survivors([5, 50, 95][random.below(3)], &random)
    }
  }

  private func survivors(_ percent: Int, _ random: inout SeededRandom) -> [UInt8] {
    var result = durable
    var length = durable.count
    for candidate in lengths where random.chance(percent) { length = candidate }
    var kept: [(Int, [UInt8])] = []
    for (sector, versions) in dirty.sorted(by: { $0.key < $1.key }) where random.chance(percent) {
      let version = percent == 100 ? versions[versions.count - 1] : versions[random.below(versions.count)]
      kept.append((sector * Self.sectorByteCount, version))
    }
    if length < result.count { result.removeLast(result.count - length) }
    if length > result.count { result.append(contentsOf: repeatElement(0, count: length - result.count)) }
    for (start, bytes) in kept {
      let end = min(start + bytes.count, length)
      if start < end { result.replaceSubrange(start..<end, with: bytes[..<(end - start)]) }
    }
    return result
  }

  private func sector(_ index: Int, of bytes: [UInt8]) -> [UInt8] {
    let start = index * Self.sectorByteCount
    return bytes.withUnsafeBytes {
      Array(UnsafeRawBufferPointer(rebasing: $0[start..<min(start + Self.sectorByteCount, $0.count)]))
    }
  }
}
