/// What keys of objects in JSON may consist of.
enum JSONKey {
  /// As the stream-safe text format of Unicode has it (UAX #15); no language needs as many.
  static let markCountMax = 30

  /// Whether a key has so many combining marks in a row that comparing and hashing it takes long: strings are equal
  /// whatever the order of such marks, which takes the square of their number.
  static func isOverloaded(_ key: String) -> Bool {
    if key.utf8.count <= markCountMax { return false }
    var markCount = 0
    for scalar in key.unicodeScalars {
      // None below: letters of Latin.
      if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
        markCount = 0
        continue
      }
      markCount += 1
      if markCount > markCountMax { return true }
    }
    return false
  }
}
