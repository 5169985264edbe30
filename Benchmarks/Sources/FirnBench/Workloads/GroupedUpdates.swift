/// What all engines agree on in row 14i.
enum GroupedUpdates: String {
  case sums
  case extremes

  static let personCountMax = 20_000

  var wording: String {
    switch self {
    case .sums: "count, sum and average of the score"
    case .extremes: "count, sum, average, minimum and maximum of the score"
    }
  }

  /// Scores that go up and down with each commit.
  static func score(_ commit: Int) -> Double { Double(commit &* 7919 % 10_007) / 8 }
}

extension Workload {
  static var observeGroups: [Workload] {
    [GroupedUpdates.sums, .extremes].map { aggregates in
      Workload(
        row: "14i", variant: aggregates.rawValue,
        "one observed group-by (persons by city: \(aggregates.wording)), one update of a score per commit, every "
          + "commit delivered, process CPU added per commit",
        target: .figureAtMost(aggregates == .sums ? 10_000 : 20_000), sizes: [1_000, 100_000, 1_000_000],
        remark: "GRDB fetches the groups again. Plain Swift adds and subtracts by hand, so that its sums drift, and "
          + "looks for an extreme among the group's persons when it is lost.",
        firn: { try FirnTrials.observeGroups(aggregates, $0) }, plain: { PlainTrials.observeGroups(aggregates, $0) },
        grdb: { try GRDBTrials.observeGroups(aggregates, $0) })
    }
  }
}
