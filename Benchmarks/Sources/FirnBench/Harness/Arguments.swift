import ArgumentParser

/// The value of `--rows`.
struct RowSelection: ExpressibleByArgument {
  static let all = RowSelection(names: nil)

  /// Nil: every row.
  private let names: [String]?

  private init(names: [String]?) {
    self.names = names
  }

  init?(argument: String) {
    let names = argument.split(separator: ",").map { $0.trimmingPrefix { $0 == " " }.lowercased() }
    let known = Workload.all.map(\.row)
    guard !names.isEmpty, names.allSatisfy({ name in known.contains { Self.matches(name, $0, known) } }) else {
      return nil
    }
    self.names = names
  }

  var defaultValueDescription: String { "all" }

  func choose(from workloads: [Workload]) -> [Workload] {
    guard let names else { return workloads }
    let known = workloads.map(\.row)
    return workloads.filter { workload in names.contains { Self.matches($0, workload.row, known) } }
  }

  /// A number that is no row of its own stands for all rows with that number.
  private static func matches(_ name: String, _ row: String, _ known: [String]) -> Bool {
    name == row || (!known.contains(name) && row.prefix { $0.isNumber } == name)
  }
}

/// The value of `--size`.
struct Sizes: ExpressibleByArgument {
  let values: [Int]

  init?(argument: String) {
    let values = argument.split(separator: ",").compactMap { Int($0) }
    guard !values.isEmpty, values.allSatisfy({ $0 >= 1_000 }) else { return nil }
    self.values = values
  }

  var defaultValueDescription: String { values.map(String.init).joined(separator: ",") }
}

extension [Line] {
  /// Workload by workload, each from the smallest size up.
  func inOrder(of workloads: [Workload]) -> [Line] {
    workloads.flatMap { workload in
      filter { $0.workload.name == workload.name }.sorted { $0.size < $1.size }
    }
  }
}
