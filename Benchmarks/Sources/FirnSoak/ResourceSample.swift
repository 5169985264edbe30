import Firn
import Foundation

/// What the process and its files take at a moment.
struct ResourceSample: Sendable {
  enum Resource: CaseIterable, Sendable {
    case residentBytes, engineBytes, diskBytes, descriptors, threads, versions

    var title: String {
      switch self {
      case .residentBytes: "resident memory"
      case .engineBytes: "memory of the engine"
      case .diskBytes: "disk"
      case .descriptors: "open files"
      case .threads: "threads"
      case .versions: "held versions"
      }
    }

    var isBytes: Bool { self == .residentBytes || self == .engineBytes || self == .diskBytes }

    /// How much more the median of the last quarter may be than that of the first: a share of it, and so many besides.
    var growthMax: (percent: Int, count: Int) {
      switch self {
      case .residentBytes: (15, 24 << 20)
      case .engineBytes: (20, 4 << 20)
      case .diskBytes: (25, 12 << 20)
      case .descriptors: (0, 6)
      case .threads: (0, 12)
      case .versions: (0, 8)
      }
    }

    func text(_ value: Int) -> String {
      isBytes ? "\((Double(value) / 1_048_576).formatted(.number.precision(.fractionLength(1)))) MiB" : "\(value)"
    }
  }

  let seconds: Double
  private(set) var values: [Resource: Int] = [:]

  /// - Parameter store: Nil while it is not open: what only it knows is left out.
  init(seconds: Double, store: RealmStore?, file: URL) {
    self.seconds = seconds
    values[.residentBytes] = Self.number(of: "VmRSS:").map { $0 << 10 }
    values[.threads] = Self.number(of: "Threads:")
    values[.descriptors] = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    guard let store else { return }
    values[.diskBytes] = Self.diskByteCount(file)
    let statistics = store.statistics
    values[.engineBytes] = statistics.engineByteCount
    values[.versions] = statistics.versions.count
  }

  private static func number(of name: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  /// Bytes that the file system has allotted to the files of the database.
  private static func diskByteCount(_ file: URL) -> Int {
    let folder = file.path + ".journal"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ([file.path, file.path + ".lock"] + names.map { "\(folder)/\($0)" }).reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }

  var line: String {
    let parts = Resource.allCases.map { resource in
      "\(resource.title) \(values[resource].map { resource.text($0) } ?? "-")"
    }
    return "\(Int(seconds)) s: " + parts.joined(separator: ", ")
  }
}

/// All samples of a run, and the judgement of them.
actor ResourceRecord {
  private var samples: [ResourceSample] = []

  func add(_ sample: ResourceSample) { samples.append(sample) }

  /// Compares the medians of the first and the last quarter after the warm-up, the first third of the time.
  ///
  /// - Returns: A line for each resource.
  /// - Throws: `SoakFailure` naming what grew beyond its bound.
  func judge() throws -> [String] {
    let all = samples.dropFirst(samples.count / 3)
    let quarter = all.count / 4
    guard quarter >= 3 else { throw SoakFailure("There are too few samples to judge: \(samples.count).") }
    var lines: [String] = []
    var grown: [String] = []
    for resource in ResourceSample.Resource.allCases {
      guard let first = median(resource, all.prefix(quarter)), let last = median(resource, all.suffix(quarter)) else {
        throw SoakFailure("There are no samples of \(resource.title).")
      }
      let bound = first + first * resource.growthMax.percent / 100 + resource.growthMax.count
      let line =
        "\(resource.title): \(resource.text(first)), at the end \(resource.text(last)), bound \(resource.text(bound))"
      lines.append(line)
      if last > bound { grown.append(line) }
    }
    if !grown.isEmpty {
      throw SoakFailure("Resources grew beyond their bounds (medians): \(grown.joined(separator: "; ")).")
    }
    return lines
  }

  private func median(_ resource: ResourceSample.Resource, _ samples: ArraySlice<ResourceSample>) -> Int? {
    let values = samples.compactMap { $0.values[resource] }.sorted()
    return values.isEmpty ? nil : values[values.count / 2]
  }
}
