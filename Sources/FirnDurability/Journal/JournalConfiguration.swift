package struct JournalConfiguration: Sendable {
  /// Where the segments are; created if need be.
  package var folder: String
  package var storeID: StoreID
  /// Higher than that of any segment in the folder.
  package var epoch: UInt64
  /// Of all segments, or, where they are encrypted, of none: then each has its own.
  package var salt: FileSalt
  /// The key of an encrypted store.
  package var key: StoreKey?
  package var durability: Durability
  /// Whether commits are encoded with the values that were before, in segments that say when they were begun.
  package var hasOldValues = false
  package var segmentByteCount = 4 << 20
  /// Whether the next segment is allotted in the background when half of one is used, or when it is needed.
  package var preparesSegments = true
  /// How long no commit must have come before a frame says that the last one is on disk; nil for never.
  package var idleNanoseconds: Int?
  package var clock = StoreClock.system
  /// A commit that finds more than this waiting to be written waits until it is.
  package var pendingByteCountMax = 64 << 20

  package init(
    folder: String, storeID: StoreID, epoch: UInt64, salt: FileSalt = .random(),
    durability: Durability = .everyCommit
  ) {
    self.folder = folder
    self.storeID = storeID
    self.epoch = epoch
    self.salt = salt
    self.durability = durability
  }
}
