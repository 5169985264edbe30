import CBench
import Foundation

/// What a filled store occupies, measured in a process of its own: memory that others gave back would hide it.
struct MemoryUse: Codable {
  /// As the engine counts it: Firn its blocks, plain Swift what it has from malloc, GRDB the pages of the database.
  var engineByteCount: Int
  /// Growth of the resident set.
  var residentByteCount: Int

  func perObject(_ objectCount: Int) -> Sample {
    Sample(
      value: Double(engineByteCount) / Double(objectCount),
      asides: [.init(label: "resident", value: Double(residentByteCount) / Double(objectCount), unit: .bytes)]
    )
  }

  var encoded: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }

  /// Fills a store and measures it. The process must not have done anything else.
  static func inThisProcess(of engine: Engine, objectCount: Int) throws -> MemoryUse {
    let dataset = Dataset(count: objectCount)
    let residentBefore = residentByteCount()
    let heapBefore = cbench_heap_byte_count()
    switch engine {
    case .firn:
      let fixture = try FirnFixture(filledWith: dataset)
      return MemoryUse(
        engineByteCount: try fixture.engineByteCount(), residentByteCount: residentByteCount() - residentBefore)
    case .plain:
      let store = PlainStore(filledWith: dataset)
      defer { withExtendedLifetime(store) {} }
      return MemoryUse(
        engineByteCount: cbench_heap_byte_count() - heapBefore, residentByteCount: residentByteCount() - residentBefore)
    case .grdb:
      let fixture = try GRDBFixture(filledWith: dataset)
      return MemoryUse(
        engineByteCount: try fixture.pageByteCount(), residentByteCount: residentByteCount() - residentBefore)
    }
  }

  /// The same in a new process.
  static func inNewProcess(of engine: Engine, objectCount: Int) throws -> MemoryUse {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--memory-of", engine.rawValue, "--size", String(objectCount)]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try expect(process.terminationStatus, 0, "exit status of the process that measures the memory of \(engine.title)")
    return try JSONDecoder().decode(MemoryUse.self, from: data)
  }

  private static func residentByteCount() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
