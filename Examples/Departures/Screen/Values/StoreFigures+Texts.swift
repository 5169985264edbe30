extension StoreFigures {
  /// The figures as the footer shows them, the most important first.
  var texts: [String] {
    [
      "\(short(commitsPerSecond)) commits/s",
      "notified in \(notificationMilliseconds.map { "\(short($0)) ms" } ?? "-")",
      "\(rowCount) rows",
      "journal \(journalByteCount.map(StoreFigures.size) ?? "none")",
      "checkpoint \(secondsSinceCheckpoint.map { "\(Int($0)) s ago" } ?? "none")",
      "memory \(StoreFigures.size(memoryByteCount))",
    ]
  }

  private static func size(_ byteCount: Int) -> String {
    let kilobytes = Double(byteCount) / 1_000
    if kilobytes < 1 { return "\(byteCount) B" }
    return kilobytes < 1_000 ? "\(short(kilobytes)) kB" : "\(short(kilobytes / 1_000)) MB"
  }
}

/// A number in few digits: one after the point below ten, none above.
func short(_ number: Double) -> String {
  guard number.isFinite else { return "-" }
  if abs(number) >= 9.95 || number == number.rounded() {
    return "\(Int(number.rounded()))"
  }
  let tenths = Int((abs(number) * 10).rounded())
  return "\(number < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
}
