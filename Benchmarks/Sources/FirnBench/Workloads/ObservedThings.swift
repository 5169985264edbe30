/// What rows 14d to 14h observe: very many things of one kind in one realm.
enum ObservedThings: CaseIterable {
  case objects, lists, maps, backlinks, linkQueries

  static let count = 10_000
  static let commitCount = 20_000

  /// Each query reads the table once when it is registered, which takes minutes for very many on a million rows.
  var sizes: [Int] { self == .linkQueries ? [10_000, 100_000] : [10_000, 1_000_000] }

  var row: String {
    switch self {
    case .objects: "14d"
    case .lists: "14e"
    case .maps: "14f"
    case .backlinks: "14g"
    case .linkQueries: "14h"
    }
  }

  var wording: String {
    switch self {
    case .objects: "objects"
    case .lists: "lists of two objects"
    case .maps: "maps of one object"
    case .backlinks: "backlinks of one object"
    case .linkQueries: "queries (link.n == x, distinct constants)"
    }
  }
}

extension Workload {
  private static let withoutObservers = "the commit without observers"

  /// Two for each kind: a commit that concerns nothing observed, and what one adds that does.
  static var observeThings: [Workload] {
    ObservedThings.allCases.flatMap { things in
      [
        Workload(
          row: things.row, variant: "untouched",
          "\(ObservedThings.count) observed \(things.wording), a commit that touches another row of the table",
          target: .asideRatioAtMost(1.5, withoutObservers), sizes: things.sizes, sizeMaxForGRDB: 10_000,
          firn: { try FirnTrials.observe(things, isTouched: false, $0, withoutObservers) },
          grdb: things == .objects ? { try GRDBTrials.observeObjects(isTouched: false, $0, withoutObservers) } : nil),
        Workload(
          row: things.row, variant: "touched",
          "\(ObservedThings.count) observed \(things.wording), a commit that touches one, time added",
          target: .figureAtMost(10_000), sizes: things.sizes, sizeMaxForGRDB: 10_000,
          remark: things == .linkQueries ? "each update leaves the result of one query and comes into another." : nil,
          firn: { try FirnTrials.observe(things, isTouched: true, $0, withoutObservers) },
          grdb: things == .objects ? { try GRDBTrials.observeObjects(isTouched: true, $0, withoutObservers) } : nil),
      ]
    }
  }
}
