/// What one pass of one engine found.
struct Sample {
  /// The figure that is compared, in the unit of the workload.
  var value: Double
  /// Figures worth seeing beside it that decide nothing.
  var asides: [Aside] = []

  struct Aside: Codable {
    var label: String
    var value: Double
    var unit: Unit
  }
}

/// Runs a workload once on what was prepared for it. Only the loop of the workload is timed.
typealias Trial = () throws -> Sample
