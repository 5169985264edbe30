import ArgumentParser
import Foundation

/// Something that somebody else does to the folder of a store that is open.
///
/// The store lies in `<folder>/<file>`, another one in `<folder>.other/<file>`. From then on the path of the store
/// leads to the other one or to none, so that nothing may be acknowledged any more.
enum Exchange: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// It becomes `<folder>.old`, and the other folder takes its place.
  case replaced
  /// It becomes `<folder>.old`, and nothing takes its place.
  case moved
  /// It becomes `<folder>.old`, and an empty folder takes its place.
  case emptied
  /// `<folder>` is a symbolic link, which leads to the other folder from now on.
  case turned

  /// Does it, and brings the names onto the disk.
  func perform(_ folder: String) {
    switch self {
    case .replaced:
      call(rename(folder, "\(folder).old"), "rename")
      call(rename("\(folder).other", folder), "rename")
    case .moved: call(rename(folder, "\(folder).old"), "rename")
    case .emptied:
      call(rename(folder, "\(folder).old"), "rename")
      call(mkdir(folder, 0o700), "mkdir")
    case .turned:
      call(symlink(URL(fileURLWithPath: "\(folder).other").lastPathComponent, "\(folder).new"), "symlink")
      call(rename("\(folder).new", folder), "rename")
    }
    let parent = open(URL(fileURLWithPath: folder).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    call(fsync(parent), "fsync")
    close(parent)
  }

  private func call(_ result: Int32, _ name: String) {
    guard result == 0 else { fatalError("\(name) failed with error \(errno).") }
  }
}
