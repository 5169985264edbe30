extension Realm.Configuration {
  /// When a commit counts as done.
  public enum Durability: Sendable, Equatable {
    /// When it is on disk: writing returns, and others see the commit, after the disk confirmed it. Writers that commit at
    /// the same time share one confirmation.
    case everyCommit
    /// At once; the disk follows within the interval. The death of the process loses nothing, that of the machine at most
    /// the commits of the last interval.
    case interval(Duration)
    /// At once; the disk follows with the next checkpoint. The death of the process loses nothing, that of the machine
    /// what came after the last checkpoint.
    case onCheckpoint
  }

  /// When the journal is folded into the snapshot. Checkpoints run in the background and stop nobody.
  public struct Checkpoints: Sendable, Equatable {
    /// A checkpoint is due when the journal has grown by so many bytes on disk since the last one, authors and metadata
    /// included.
    public var journalByteCount: Int
    /// A checkpoint is due when something was committed and the last one is so long ago; nil for never.
    public var interval: Duration?

    /// Checkpoints after so many bytes of journal, or such a time.
    public init(journalByteCount: Int = 64 << 20, interval: Duration? = .seconds(300)) {
      self.journalByteCount = journalByteCount
      self.interval = interval
    }
  }

  /// How much of what was committed is kept: so many bytes, as far as they are not too old. Nothing without bytes.
  public struct History: Sendable, Equatable {
    /// The bytes to keep: in files at least as many, and at most one segment of the journal more; in memory at most as
    /// many.
    public var byteCount: Int
    /// The greatest age of what is given out; nil for any. It has left the disk of an open database when a
    /// thirty-second part of that has passed as well, at least two seconds and at most two days; see <doc:History>.
    public var age: Duration?

    /// Keeps so many bytes, and nothing older.
    public init(byteCount: Int = 0, age: Duration? = nil) {
      self.byteCount = byteCount
      self.age = age
    }
  }
}
