/// Marks that join the character before them. Swift's equality does not see in which order they stand, for which it takes
/// the square of their number.
enum CombiningMarks {
  /// As the stream-safe text format of Unicode has it (UAX #15); no language needs as many.
  static let countMax = 30

  /// Whether a text has more of them in a row than any language needs.
  static func areMany(in text: [UInt8]) -> Bool {
    if text.count <= countMax { return false }
    var count = 0
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      // None below: letters of Latin.
      if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
        count = 0
        continue
      }
      count += 1
      if count > countMax { return true }
    }
    return false
  }
}
