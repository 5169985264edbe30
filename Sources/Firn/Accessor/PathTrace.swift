/// Collects the columns that a key path reads from a tracing object.
///
/// A tracing object is an accessor of a realm without content that notes what is read from it. It is how the string form
/// of a key path is found: the platform has none.
final class PathTrace {
  private(set) var columns: [Int] = []

  /// The key of a map that was asked for behind the last column; nil when none was.
  private(set) var mapKey: String?

  func note(_ column: Int) {
    columns.append(column)
    mapKey = nil
  }

  /// Forgets what was read up to now.
  func restart() {
    columns = []
    mapKey = nil
  }

  func note(mapKey: String) { self.mapKey = mapKey }
}
