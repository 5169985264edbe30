/// What all engines agree on in the rows of single changes of places.
enum PlaceCommits {
  static let countPerPass = 5_000
  static let unindexedLabel = "the commit without the index"

  /// The objects that move.
  static func ids(_ dataset: PlaceDataset) -> [Int] {
    let step = max(1, dataset.places.count / countPerPass)
    return (0..<min(countPerPass, dataset.places.count)).map { $0 * step }
  }
}
