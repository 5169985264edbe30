/// What all engines agree on in the rows about live queries.
enum LiveQueries {
  static let sortedCommitCount = 5_000

  static let manyCount = 100_000
  /// Constants of very many queries. Nobody lives there at first.
  static let manyCities = (0..<manyCount).map { "Town \($0)" }

  static let appendedCount = 10_000
  static let appendingCount = 20

  /// The row that each entry is linked from is in the result while its size is above this.
  static let sizeLimit = 1_000_000
  static let startSize = sizeLimit + 1
  /// One commit after the other for each entry: its folder stays in the result, leaves it, comes back.
  static let sizes = [sizeLimit + 2, 0, startSize]
  static let joinedWriteCount = 1_000

  /// What several commits took that were measured one by one, with observer less without.
  ///
  /// - Parameter rounds: makes some commits and returns their processor time.
  static func added(
    per commitCount: Int, _ rounds: @escaping () throws -> Double, observing observe: (() throws -> Void) throws -> Void
  ) throws -> Sample {
    let without = try rounds() / Double(commitCount)
    var with = 0.0
    try observe { with = try rounds() / Double(commitCount) }
    return Sample(
      value: with - without, asides: [.init(label: "commit without observers", value: without, unit: .nanoseconds)])
  }
}
