import Foundation

/// Where and when a run took place.
struct Machine: Codable {
  var processor: String
  var coreCount: Int
  var memory: String
  var kernel: String
  var swift: String
  var date: String
  var loadBefore: String
  var loadAfter = ""

  init() {
    processor = Self.field("model name", in: "/proc/cpuinfo") ?? "unknown"
    coreCount = ProcessInfo.processInfo.activeProcessorCount
    memory = Self.field("MemTotal", in: "/proc/meminfo").flatMap(Self.gibibytes) ?? "unknown"
    kernel = Self.text("/proc/sys/kernel/osrelease")
    swift = Self.swiftVersion()
    date = Date().formatted(.iso8601)
    loadBefore = Self.load()
  }

  mutating func runEnded() {
    loadAfter = Self.load()
  }

  /// The load averages of the last 1, 5 and 15 minutes.
  private static func load() -> String {
    text("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
  }

  private static func text(_ path: String) -> String {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "unknown").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func field(_ name: String, in path: String) -> String? {
    let line = text(path).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func gibibytes(_ field: String) -> String? {
    field.split(separator: " ").first.flatMap { Double($0) }.map { "\(Unit.digits($0 / 1_048_576)) GiB" }
  }

  /// Asks the toolchain in the path, which is the one that `swift run` built this program with.
  private static func swiftVersion() -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "--version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "unknown" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").first.map(String.init) ?? "unknown"
  }
}
