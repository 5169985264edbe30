/// What all engines agree on in row 2.
enum SingleAdd {
  static let countPerPass = 5_000
}
