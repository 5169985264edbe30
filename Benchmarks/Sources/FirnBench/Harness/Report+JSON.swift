import Foundation

extension Report {
  /// Everything that was measured, every pass, for comparison by another program.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let document = Document(machine: machine, passCount: passCount, lines: lines.map(Document.Entry.init))
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
  }

  private struct Document: Encodable {
    var machine: Machine
    var passCount: Int
    var lines: [Entry]

    struct Entry: Encodable {
      var row: String
      var variant: String
      var workload: String
      var objectCount: Int
      var unit: Unit
      var target: String
      var isMet: Bool?
      var ratio: Double?
      var engines: [String: Figures]

      init(_ line: Line) {
        row = line.workload.row
        variant = line.workload.variant
        workload = line.workload.wording
        objectCount = line.size
        unit = line.workload.unit
        target = line.workload.target.formatted(in: line.workload.unit)
        isMet = line.isMet
        ratio = line.ratio
        engines = [:]
        for (engine, samples) in line.samples {
          engines[engine.rawValue] = Figures(
            median: line.median(engine), passes: samples.map(\.value), asides: line.asides(engine))
        }
      }
    }

    struct Figures: Encodable {
      var median: Double?
      var passes: [Double]
      var asides: [Sample.Aside]
    }
  }
}
