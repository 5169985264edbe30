/// Stable sorting of rows by words, from the least significant digit up.
package enum RadixSort {
  struct Entry {
    var code: UInt64
    var index: UInt32
  }

  /// The positions of rows ordered by their words, the first word the most significant.
  static func order(_ words: [SortWord]) -> [UInt32] {
    let count = words[0].codes.count
    var entries: [Entry] = []
    var wordIndex = words.count - 1
    while wordIndex >= 0 {
      let codes = words[wordIndex].codes
      if entries.isEmpty {
        entries = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
          codes.withUnsafeBufferPointer { codes in
            for index in 0..<count {
              (buffer.baseAddress.unsafelyUnwrapped + index).initialize(
                to: Entry(code: codes[index], index: UInt32(truncatingIfNeeded: index)))
            }
          }
          initialized = count
        }
      } else {
        codes.withUnsafeBufferPointer { codes in
          entries.withUnsafeMutableBufferPointer { entries in
            for index in entries.indices { entries[index].code = codes[Int(entries[index].index)] }
          }
        }
      }
      sort(&entries, bitCount: words[wordIndex].bitCount)
      wordIndex -= 1
    }
    return entries.map(\.index)
  }

  /// Sorts by code; entries with equal codes keep their order.
  static func sort(_ entries: inout [Entry], bitCount: Int) {
    if isSorted(entries) { return }
    if entries.count < 256 { return insertionSort(&entries) }
    let passes = (bitCount + 10) / 11
    let digitBits = UInt64((bitCount + passes - 1) / passes)
    let bucketCount = 1 << Int(digitBits)
    let digitMask = UInt64(bucketCount - 1)
    var other = entries
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: bucketCount * passes) { starts in
      starts.initialize(repeating: 0)
      entries.withUnsafeBufferPointer { entries in
        for entry in entries {
          var code = entry.code
          var pass = 0
          while pass < passes {
            starts[pass &* bucketCount &+ Int(truncatingIfNeeded: code & digitMask)] &+= 1
            code &>>= digitBits
            pass &+= 1
          }
        }
      }
      for pass in 0..<passes {
        let digits = UnsafeMutableBufferPointer(rebasing: starts[(pass * bucketCount)..<((pass + 1) * bucketCount)])
        // All rows in one bucket: nothing to move.
        if digits.contains(UInt32(entries.count)) { continue }
        var sum: UInt32 = 0
        for digit in 0..<bucketCount {
          let size = digits[digit]
          digits[digit] = sum
          sum &+= size
        }
        distribute(entries, into: &other, shift: UInt64(pass) * digitBits, digitMask, digits)
        swap(&entries, &other)
      }
    }
  }

  private static func distribute(
    _ entries: [Entry], into target: inout [Entry], shift: UInt64, _ mask: UInt64,
    _ starts: UnsafeMutableBufferPointer<UInt32>
  ) {
    let starts = starts.baseAddress.unsafelyUnwrapped
    entries.withUnsafeBufferPointer { entries in
      target.withUnsafeMutableBufferPointer { target in
        let target = target.baseAddress.unsafelyUnwrapped
        for entry in entries {
          let digit = Int(truncatingIfNeeded: entry.code &>> shift & mask)
          target[Int(starts[digit])] = entry
          starts[digit] &+= 1
        }
      }
    }
  }

  /// Sorts numbers by themselves. O(n) from a few hundred on.
  ///
  /// - Parameter other: Room for as many, whose content is lost.
  package static func sort(_ codes: UnsafeMutableBufferPointer<UInt64>, using other: UnsafeMutableBufferPointer<UInt64>)
  {
    if codes.count < 512 {
      var codes = codes
      return codes.sort()
    }
    var starts = Array(repeating: 0, count: 8 * 256)
    starts.withUnsafeMutableBufferPointer { starts in
      for code in codes {
        for pass in 0..<8 { starts[pass &* 256 &+ Int(truncatingIfNeeded: code &>> UInt64(8 &* pass) & 255)] &+= 1 }
      }
      var (from, to) = (codes, other)
      for pass in 0..<8 {
        let digits = UnsafeMutableBufferPointer(rebasing: starts[(256 * pass)..<(256 * pass + 256)])
        // All in one bucket: nothing to move.
        if digits.contains(codes.count) { continue }
        var sum = 0
        for digit in 0..<256 { (digits[digit], sum) = (sum, sum &+ digits[digit]) }
        for code in from {
          let digit = Int(truncatingIfNeeded: code &>> UInt64(8 &* pass) & 255)
          to[digits[digit]] = code
          digits[digit] &+= 1
        }
        swap(&from, &to)
      }
      if from.baseAddress != codes.baseAddress { _ = codes.update(fromContentsOf: from) }
    }
  }

  private static func isSorted(_ entries: [Entry]) -> Bool {
    entries.withUnsafeBufferPointer { entries in
      var index = 1
      while index < entries.count {
        if entries[index].code < entries[index &- 1].code { return false }
        index &+= 1
      }
      return true
    }
  }

  private static func insertionSort(_ entries: inout [Entry]) {
    if entries.count > 32 {
      // Positions break ties only between entries that are in order of position; number them by place first.
      var numbered = entries.enumerated().map { ($0.offset, $0.element) }
      numbered.sort { $0.1.code != $1.1.code ? $0.1.code < $1.1.code : $0.0 < $1.0 }
      entries = numbered.map(\.1)
      return
    }
    var index = 1
    while index < entries.count {
      let entry = entries[index]
      var place = index
      while place > 0, entries[place - 1].code > entry.code {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
      index += 1
    }
  }
}
