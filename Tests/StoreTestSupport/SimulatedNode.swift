/// A file of the simulated disk, with or without a name. Guarded by the disk's lock.
///
/// A sector is in one of these states:
/// - clean: reading gives what is durable;
/// - dirty: written since the last sync; a crash leaves any of its contents since then, or anything at all where the file
///   became longer and nothing was reserved; a sync makes the last one durable;
/// - forgotten: its sync failed. The system takes it for clean and reading gives what was written, until the system lets go
///   of it; the disk has something older, which no later sync changes unless the sector is written again.
final class SimulatedNode {
  static let sectorByteCount = 512

  /// Whole sectors that were written at once, as they were afterwards.
  private struct Write {
    var sectors: Range<Int>
    var bytes: [UInt8]
  }

  /// What reading gives.
  private(set) var content: [UInt8]
  /// What is there after a crash, whatever else is.
  private(set) var durable: [UInt8]
  /// The writes to dirty sectors.
  private var writes: [Write] = []
  /// The lengths since the last sync.
  private var lengths: [Int] = []
  private var forgotten: Set<Int> = []
  /// Bytes before this place were reserved: the disk shows zeros for what was not written there.
  private var reservedEnd = 0
  /// Sectors that cannot be read until they are written again.
  private var unreadable: Set<Int> = []
  var lockHolder: ObjectIdentifier?

  init(content: [UInt8] = []) {
    self.content = content
    durable = content
  }

  var hasForgotten: Bool { !forgotten.isEmpty }

  private func sectors(_ offset: Int, _ count: Int) -> Range<Int> {
    offset / Self.sectorByteCount..<(offset + count - 1) / Self.sectorByteCount + 1
  }

  func isReadable(_ offset: Int, count: Int) -> Bool {
    unreadable.isEmpty || count == 0 || unreadable.isDisjoint(with: sectors(offset, count))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if bytes.isEmpty { return }
    let end = offset + bytes.count
    if end > content.count {
      content += [UInt8](repeating: 0, count: end - content.count)
      lengths.append(end)
    }
    content.withUnsafeMutableBytes {
      $0.baseAddress!.advanced(by: offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    let sectors = sectors(offset, bytes.count)
    let start = sectors.lowerBound * Self.sectorByteCount
    let stop = min(sectors.upperBound * Self.sectorByteCount, content.count)
    writes.append(Write(sectors: sectors, bytes: Array(content[start..<stop])))
    if !forgotten.isEmpty { forgotten.subtract(sectors) }
    if !unreadable.isEmpty { unreadable.subtract(sectors) }
  }

  func truncate(to size: Int) {
    if size < content.count {
      content.removeLast(content.count - size)
      let sectorCount = (size + Self.sectorByteCount - 1) / Self.sectorByteCount
      writes = writes.compactMap { write in
        let sectors = write.sectors.clamped(to: 0..<sectorCount)
        if sectors.isEmpty { return nil }
        return Write(sectors: sectors, bytes: Array(write.bytes.prefix(sectors.count * Self.sectorByteCount)))
      }
      forgotten = forgotten.filter { $0 < sectorCount }
      unreadable = unreadable.filter { $0 < sectorCount }
    } else {
      content += [UInt8](repeating: 0, count: size - content.count)
    }
    lengths.append(size)
    reservedEnd = min(reservedEnd, size)
  }

  /// Makes the file longer by zeros that the disk has room for.
  func reserve(upTo size: Int) {
    truncate(to: size)
    reservedEnd = size
  }

  func synchronize() {
    var next = content
    for index in forgotten { Self.copySector(index, of: durable, to: &next) }
    durable = next
    writes = []
    lengths = []
  }

  /// Changes a bit on the disk, which reading shows when the system has let go of what it knows.
  func rot(_ random: inout SeededRandom) {
    if durable.isEmpty { return }
    let offset = random.below(durable.count)
    durable[offset] ^= 1 << UInt8(random.below(8))
    forgotten.insert(offset / Self.sectorByteCount)
  }

  /// A sync that failed: of what was to be written some is on disk, and the rest is forgotten.
  func failToSynchronize(_ random: inout SeededRandom) {
    durable = afterCrash(.random, &random)
    for write in writes {
      for index in write.sectors where !Self.isSameSector(index, content, durable) { forgotten.insert(index) }
    }
    writes = []
    lengths = []
  }

  /// The system lets go of what it takes for clean, so that reading gives what the disk has.
  func dropCached() {
    for index in forgotten { Self.copySector(index, of: durable, to: &content) }
    forgotten = []
  }

  func makeUnreadable(at offset: Int) { unreadable.insert(offset / Self.sectorByteCount) }

  /// Makes sectors unreadable that were being written and hold nothing durable.
  func makeUnreadable(in node: SimulatedNode, _ random: inout SeededRandom) {
    for write in writes {
      for index in write.sectors where random.chance(50) {
        let start = index * Self.sectorByteCount
        let end = min(start + Self.sectorByteCount, durable.count)
        if start >= end || durable[start..<end].allSatisfy({ $0 == 0 }) { node.unreadable.insert(index) }
      }
    }
  }

  /// What is there after a crash.
  func afterCrash(_ survival: SimulatedDisk.Survival, _ random: inout SeededRandom) -> [UInt8] {
    if writes.isEmpty, lengths.isEmpty { return durable }
    switch survival {
    case .nothing: return durable
    case .everything: return survivors(100, &random)
    case .random: return survivors([5, 50, 95][random.below(3)], &random)
    }
  }

  private func survivors(_ percent: Int, _ random: inout SeededRandom) -> [UInt8] {
    var length = durable.count
    for candidate in lengths where random.chance(percent) { length = candidate }
    // For each sector the writes to it.
    var candidates: [Int: [Int]] = [:]
    for (place, write) in writes.enumerated() {
      for index in write.sectors { candidates[index, default: []].append(place) }
    }
    var result = durable
    if length < result.count { result.removeLast(result.count - length) }
    result += [UInt8](repeating: 0, count: length - result.count)
    let known = max(durable.count, reservedEnd)
    for (index, places) in candidates.sorted(by: { $0.key < $1.key }) {
      if !random.chance(percent) {
        let start = index * Self.sectorByteCount
        if start >= known, random.chance(30) { Self.makeStale(start, in: &result, &random) }
        continue
      }
      let write = writes[percent == 100 ? places[places.count - 1] : places[random.below(places.count)]]
      let from = (index - write.sectors.lowerBound) * Self.sectorByteCount
      let start = index * Self.sectorByteCount
      let count = min(Self.sectorByteCount, write.bytes.count - from, length - start)
      if count > 0 { result.replaceSubrange(start..<start + count, with: write.bytes[from..<from + count]) }
    }
    return result
  }

  /// Puts what others left on the disk into a sector that was to be written.
  private static func makeStale(_ start: Int, in content: inout [UInt8], _ random: inout SeededRandom) {
    for place in start..<max(start, min(start + sectorByteCount, content.count)) {
      content[place] = UInt8(truncatingIfNeeded: random.next())
    }
  }

  /// Copies what `target` has room for; behind the end of `source` there are zeros.
  private static func copySector(_ index: Int, of source: [UInt8], to target: inout [UInt8]) {
    for place in index
      * sectorByteCount..<max(index * sectorByteCount, min((index + 1) * sectorByteCount, target.count))
    {
      target[place] = place < source.count ? source[place] : 0
    }
  }

  private static func isSameSector(_ index: Int, _ left: [UInt8], _ right: [UInt8]) -> Bool {
    (index * sectorByteCount..<(index + 1) * sectorByteCount).allSatisfy { place in
      (place < left.count ? left[place] : 0) == (place < right.count ? right[place] : 0)
    }
  }
}
