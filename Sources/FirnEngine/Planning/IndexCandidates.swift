/// The rows that a way in leads to in one version.
struct IndexCandidates {
  let access: IndexAccess
  /// Where they are in each ordered index of the access.
  private let positions: [[(positions: Range<Int>, isComplete: Bool)]]
  /// How many there are, those found twice counted twice.
  let count: Int

  /// Nil when looking them up would cost more than a scan, or when an index is not settled.
  init?(_ access: IndexAccess, _ contents: GraphContents, _ table: TableID, rowCount: Int) {
    var positions: [[(positions: Range<Int>, isComplete: Bool)]] = []
    var count = 0
    for ordered in access.ordered {
      guard ordered.isUsable(in: contents, beside: rowCount) else { return nil }
      positions.append(ordered.candidates(in: contents))
      for found in positions[positions.count - 1] { count &+= found.positions.count }
    }
    for probe in access.probes { count &+= probe.count(contents, in: table) }
    self.access = access
    self.positions = positions
    self.count = count
  }

  /// Whether as many rows match.
  var hasExactCount: Bool { access.isComplete && access.isDisjoint }

  /// The keys of the matches among them, ascending, each once.
  ///
  /// - Parameter matches: Tests a row that is not known to match.
  func keys(in contents: GraphContents, _ table: TableID, where matches: (UInt64) -> Bool) -> [UInt64] {
    var open: [UInt64] = []
    for probe in access.probes { probe.append(to: &open, contents, in: table) }
    var certain: [UInt64] = []
    for (ordered, ranges) in zip(access.ordered, positions) {
      for found in ranges {
        // Where there are several ways in, some of what they lead to may be the same.
        if found.isComplete {
          let keys = contents.keys(in: found.positions, of: ordered.index)
          if access.isDisjoint { certain += keys } else { open += keys }
        } else {
          ordered.forEachCandidate(in: found.positions, contents) { key, isCertain in
            if isCertain, access.isDisjoint { certain.append(key) } else { open.append(key) }
          }
        }
      }
    }
    if access.lookupCount > 1 || !access.ordered.isEmpty { Self.sort(&open) }
    if !access.isComplete { open.removeAll { !matches($0) } }
    if certain.isEmpty { return open }
    certain += open
    Self.sort(&certain)
    return certain
  }

  /// How many match, without their keys; nil when some may be found twice.
  ///
  /// - Parameter matches: Tests a row that is not known to match.
  func count(in contents: GraphContents, where matches: (UInt64) -> Bool) -> Int? {
    guard access.isDisjoint, let ordered = access.ordered.first else { return nil }
    var count = 0
    var open: [UInt64] = []
    for found in positions[0] {
      if found.isComplete {
        count &+= found.positions.count
      } else {
        ordered.forEachCandidate(in: found.positions, contents) { key, isCertain in
          if isCertain { count &+= 1 } else { open.append(key) }
        }
      }
    }
    // Neighbours in the table are tested one after the other.
    Self.sort(&open)
    return open.reduce(count) { $0 + (matches($1) ? 1 : 0) }
  }

  /// Puts keys in order and drops those that are there already.
  private static func sort(_ keys: inout [UInt64]) {
    guard let first = keys.min(), let last = keys.max(), keys.count > 1 else { return }
    if keys.count < 64 || last - first > UInt64(64 * keys.count) {
      keys.sort()
      keys.removeRepeats()
      return
    }
    // A bit per key: neighbours in an index are mostly no neighbours in the table.
    var words = [UInt64](repeating: 0, count: Int((last - first) / 64) + 1)
    words.withUnsafeMutableBufferPointer { words in
      for key in keys { words[Int((key &- first) &>> 6)] |= 1 &<< ((key &- first) & 63) }
    }
    var place = 0
    keys.withUnsafeMutableBufferPointer { keys in
      for index in words.indices {
        var bits = words[index]
        while bits != 0 {
          keys[place] = first &+ UInt64(index &* 64 &+ bits.trailingZeroBitCount)
          bits &= bits &- 1
          place &+= 1
        }
      }
    }
    keys.removeLast(keys.count - place)
  }
}
