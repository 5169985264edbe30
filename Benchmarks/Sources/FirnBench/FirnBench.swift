import ArgumentParser
import Foundation

/// Everything below runs on the main thread in nonisolated functions: closures of main-actor functions would check
/// their isolation in every call.
@main
struct FirnBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firn-bench",
    abstract: "Measures Firn, plain Swift and GRDB side by side, row by row of the table of targets."
  )

  @Option(help: "Rows to run, as 4,6,13; a number stands for all of its letters, 5 for 5a, 5b and 5c.")
  var rows: RowSelection = .all

  @Option(help: "Numbers of objects, as 100000,1000000, instead of those each row names.")
  var size: Sizes?

  @Option(help: "How many passes count; one more goes first.")
  var passes = 5

  @Option(help: "The one engine to run: firn, plain or grdb.")
  var only: Engine?

  @Option(help: "The file to write, instead of printing.")
  var output: String?

  @Flag(help: "JSON with every pass, instead of Markdown.")
  var json = false

  /// Set by the program itself, in the process that it starts for each memory measurement.
  @Option(help: .hidden)
  var memoryOf: Engine?

  /// The same for the peak of memory of an opening, of `file`.
  @Option(help: .hidden)
  var peakOf: PeakMemory.Change?

  @Option(help: .hidden)
  var file: String?

  func validate() throws {
    guard passes >= 1 else { throw ValidationError("--passes has to be at least 1.") }
  }

  func run() throws {
    if let memoryOf {
      for objectCount in size?.values ?? [] {
        print(try MemoryUse.inThisProcess(of: memoryOf, objectCount: objectCount).encoded)
      }
      return
    }
    if let peakOf, let file {
      print(try PeakMemory.inThisProcess(peakOf, file: file))
      return
    }
    var machine = Machine()
    let runner = Runner(passCount: passes, engines: only.map { [$0] } ?? Engine.allCases, report: Self.progress)
    let chosen = rows.choose(from: Workload.all)
    let lines = try runner.run(chosen, sizes: size?.values)
    machine.runEnded()
    let report = Report(machine: machine, passCount: passes, lines: lines.inOrder(of: chosen))
    let text = json ? try report.json : report.markdown
    if let output {
      try text.write(toFile: output, atomically: true, encoding: .utf8)
    } else {
      print(text, terminator: "")
    }
  }

  /// Goes to standard error, so that the report can be piped.
  private static func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

extension Engine: ExpressibleByArgument {}
