/// What all engines agree on in rows 5a to 5c, which touch one object again and again.
enum HotLoop {
  static let turnCount = 2_000_000
  /// Inside the string itself in Swift.
  static let shortNameByteCount = 12
  /// On the heap in Swift.
  static let longNameByteCount = 20
}
