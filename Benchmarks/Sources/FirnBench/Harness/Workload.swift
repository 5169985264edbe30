/// One line of the results: something that every engine is made to do, at several sizes.
struct Workload {
  /// Sets up what the workload needs, untimed, and returns what runs it.
  typealias Preparation = (Stage) throws -> Trial

  /// The row in the table of peers, as `5a`; several workloads may share one.
  let row: String
  /// Tells workloads of one row apart; empty where there is one.
  let variant: String
  let wording: String
  let unit: Unit
  let target: Target
  /// How many objects there are.
  let sizes: [Int]
  /// GRDB takes too long beyond.
  let sizeMaxForGRDB: Int
  /// What a reader has to know to read the line right.
  let remark: String?
  private let preparations: [Engine: Preparation]

  /// An engine without a preparation is left out: it has nothing that corresponds.
  init(
    row: String,
    variant: String = "",
    _ wording: String,
    unit: Unit = .nanoseconds,
    target: Target,
    sizes: [Int] = [100_000, 1_000_000],
    sizeMaxForGRDB: Int = .max,
    remark: String? = nil,
    firn: @escaping Preparation,
    plain: Preparation? = nil,
    grdb: Preparation? = nil
  ) {
    self.row = row
    self.variant = variant
    self.wording = wording
    self.unit = unit
    self.target = target
    self.sizes = sizes
    self.sizeMaxForGRDB = sizeMaxForGRDB
    self.remark = remark
    var preparations: [Engine: Preparation] = [.firn: firn]
    preparations[.plain] = plain
    preparations[.grdb] = grdb
    self.preparations = preparations
  }

  /// Short, and different from that of every other workload.
  var name: String {
    variant.isEmpty ? row : "\(row) \(variant)"
  }

  func preparation(for engine: Engine, size: Int) -> Preparation? {
    engine == .grdb && size > sizeMaxForGRDB ? nil : preparations[engine]
  }

  /// Whether GRDB could do it at this size but is spared.
  func isGRDBSpared(at size: Int) -> Bool {
    preparations[.grdb] != nil && size > sizeMaxForGRDB
  }
}
