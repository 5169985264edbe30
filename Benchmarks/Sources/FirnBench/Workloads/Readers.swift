/// What all engines agree on in row 19.
enum Readers {
  static let lookUpCount = 300_000
  /// The reader takes the newest version after as many look-ups.
  static let lookUpsPerVersion = 100

  /// Look-ups per second.
  static func rate(per lookUpCount: Int, _ readAll: () throws -> Void) rethrows -> Sample {
    Sample(value: 1e9 / (try nanoseconds(per: lookUpCount, readAll)))
  }

  /// The same while `writer` commits.
  static func rate(per lookUpCount: Int, beside writer: BusyThread, _ readAll: () throws -> Void) throws -> Sample {
    writer.start()
    var sample = try rate(per: lookUpCount, readAll)
    sample.asides = [.init(label: "commits of the writer", value: try writer.stop(), unit: .perSecond)]
    return sample
  }
}
