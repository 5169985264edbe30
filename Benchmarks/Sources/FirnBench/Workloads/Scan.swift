/// What all engines agree on in rows 8a and 8b.
enum Scan {
  /// In about one name of 1,200.
  static let fragment = "fir"
}
