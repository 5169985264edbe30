package import Foundation

/// Where the board is kept.
package enum StoreLocation: Equatable, Sendable {
  case memory
  /// `isOwn` if it is the program's own place, whose folder is made when it is missing.
  case file(URL, isOwn: Bool)

  /// The file that was named, or the place for the state of programs: `$XDG_STATE_HOME`, else `~/.local/state`, else the
  /// folder for temporary files.
  package init(path: String?, environment: [String: String]) {
    if let path {
      self = .file(URL(fileURLWithPath: path, isDirectory: false), isOwn: false)
      return
    }
    // The specification says to ignore paths that are not absolute.
    func folder(_ name: String) -> URL? {
      environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
    }
    let state =
      folder("XDG_STATE_HOME") ?? folder("HOME")?.appendingPathComponent(".local/state", isDirectory: true)
      ?? FileManager.default.temporaryDirectory
    self = .file(state.appendingPathComponent("firn-departures/departures.firn"), isOwn: true)
  }

  package var path: String? {
    if case .file(let url, _) = self { url.path } else { nil }
  }
}
