import Foundation

/// Runs workloads and collects what they took.
///
/// The engines take turns, pass by pass, and another one begins each time, so that a slow minute of a shared machine
/// hits all of them. One more pass of each goes first and does not count.
struct Runner {
  let passCount: Int
  let engines: [Engine]
  let report: (String) -> Void

  func run(_ workloads: [Workload], sizes: [Int]?) throws -> [Line] {
    let allSizes = Set(sizes ?? workloads.flatMap(\.sizes)).sorted()
    var lines: [Line] = []
    for size in allSizes {
      let due = sizes == nil ? workloads.filter { $0.sizes.contains(size) } : workloads
      guard !due.isEmpty else { continue }
      let stage = Stage(objectCount: size)
      for workload in due {
        let line = try run(workload, on: stage)
        lines.append(line)
        report("\(workload.name), N = \(size.grouped): \(line.summary)")
      }
    }
    return lines
  }

  private func run(_ workload: Workload, on stage: Stage) throws -> Line {
    var trials: [(engine: Engine, trial: Trial)] = []
    for engine in engines {
      guard let prepare = workload.preparation(for: engine, size: stage.dataset.count) else { continue }
      let trial = try prepare(stage)
      _ = try trial()
      trials.append((engine, trial))
    }
    var samples: [Engine: [Sample]] = [:]
    for pass in 0..<passCount {
      for turn in trials.indices {
        let (engine, trial) = trials[(turn + pass) % trials.count]
        samples[engine, default: []].append(try trial())
      }
    }
    return Line(workload: workload, size: stage.dataset.count, samples: samples)
  }
}

extension Line {
  fileprivate var summary: String {
    Engine.allCases
      .compactMap { engine in median(engine).map { "\(engine.title) \(workload.unit.formatted($0))" } }
      .joined(separator: ", ")
  }
}
