internal import FirnDurability

/// How far a migration is; see ``Realm/Configuration/migrationProgress``.
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: Sendable, Hashable {
    /// The file is read.
    case reading
    /// The block runs: objects of the class that it enumerates.
    case changing
    /// The file is written.
    case writing
  }

  /// What is being done.
  public let phase: Phase
  /// How many objects, or steps, are done.
  public let completed: Int
  /// Of how many.
  public let total: Int

  init(_ phase: MigrationPhase, _ completed: Int, _ total: Int) {
    self.phase =
      switch phase {
      case .reading: .reading
      case .changing: .changing
      case .writing: .writing
      }
    self.completed = completed
    self.total = total
  }
}

extension MigrationProgress {
  /// How the log says it.
  var line: String {
    switch phase {
    case .reading: completed < total ? "reading" : "read"
    case .changing: "\(completed.grouped) of \(total.grouped) objects changed"
    case .writing: completed < total ? "writing" : "written"
    }
  }

  /// Whether another tenth is done since the call before; the block's objects come in portions.
  var isWorthALine: Bool {
    if phase != .changing || completed == 0 || completed >= total { return true }
    let portion = 4_096
    return completed / max(1, total / 10) != (completed - portion) / max(1, total / 10)
  }
}
