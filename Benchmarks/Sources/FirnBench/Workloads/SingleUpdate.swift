/// What all engines agree on in row 2b: each pass updates as many different persons, picked at random.
enum SingleUpdate {
  static let countPerPass = 10_000
}
