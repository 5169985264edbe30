internal import FirnDurability

/// A folder of the simulated disk, whatever its name.
struct SimulatedFolder: Hashable {
  let number: Int

  static let root = SimulatedFolder(number: 0)
}

/// A name in a folder.
struct SimulatedPlace: Hashable {
  let folder: SimulatedFolder
  let name: String
}

/// The names on the simulated disk.
struct SimulatedNames {
  enum Entry {
    case file(SimulatedNode)
    case folder(SimulatedFolder)
    /// A symbolic link to a path from the root.
    case link(String)
  }

  /// A path leads nowhere.
  struct Absence: Error {
    let code: DiskError.Code
  }

  private var entries: [SimulatedPlace: Entry] = [:]

  subscript(_ place: SimulatedPlace) -> Entry? {
    get { entries[place] }
    set { entries[place] = newValue }
  }

  /// All files with their places, in an order that is always the same.
  var files: [(place: SimulatedPlace, node: SimulatedNode)] {
    let files = entries.compactMap { place, entry in
      if case .file(let node) = entry { (place: place, node: node) } else { nil }
    }
    return files.sorted { ($0.place.folder.number, $0.place.name) < ($1.place.folder.number, $1.place.name) }
  }

  /// The names in a folder, in ascending order.
  func names(in folder: SimulatedFolder) -> [String] {
    entries.keys.filter { $0.folder == folder }.map(\.name).sorted()
  }

  /// The paths of the files that can be reached without symbolic links.
  var filePaths: [String] { filePaths(in: .root, "") }

  private func filePaths(in folder: SimulatedFolder, _ prefix: String) -> [String] {
    var paths: [String] = []
    for (place, entry) in entries where place.folder == folder {
      let path = "\(prefix)/\(place.name)"
      switch entry {
      case .file: paths.append(path)
      case .folder(let inner): paths += filePaths(in: inner, path)
      case .link: break
      }
    }
    return paths
  }

  /// Whether a folder has a name, without which nothing can be made in it.
  func isThere(_ folder: SimulatedFolder) -> Bool { folder == .root || entries.values.contains(.folder(folder)) }

  // MARK: Paths

  /// The place that a path leads to from a folder; its last name need not be there.
  func place(_ path: String, from start: SimulatedFolder = .root) throws(Absence) -> SimulatedPlace {
    let names = path.split(separator: "/")
    var folder = start
    for name in names.dropLast() { folder = try self.folder(SimulatedPlace(folder: folder, name: String(name))) }
    return SimulatedPlace(folder: folder, name: names.last.map(String.init) ?? "")
  }

  /// The folder that a path leads to.
  func folder(_ path: String) throws(Absence) -> SimulatedFolder {
    path == "/" ? .root : try folder(place(path))
  }

  private func folder(_ place: SimulatedPlace) throws(Absence) -> SimulatedFolder {
    switch entries[place] {
    case .folder(let folder): return folder
    case .link(let target): return try folder(target)
    case .file: throw Absence(code: DiskError.Code(rawValue: 20))
    case nil: throw Absence(code: .notFound)
    }
  }

  func file(_ path: String) -> SimulatedNode? {
    guard let place = try? place(path), case .file(let node) = entries[place] else { return nil }
    return node
  }
}

extension SimulatedNames.Entry: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.file(let left), .file(let right)): left === right
    case (.folder(let left), .folder(let right)): left == right
    case (.link(let left), .link(let right)): left == right
    default: false
    }
  }
}
