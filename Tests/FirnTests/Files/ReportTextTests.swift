import Testing

@testable import Firn
@testable import FirnDurability

/// Reports tell only of what there was.
@Suite struct ReportTextTests {
  @Test func openingTellsOfAnIncompleteEndAndAMigrationIfThereWasOne() {
    func text(cut: Int, migrated: UInt64?, isNew: Bool = false) -> String {
      var record = OpenRecord()
      record.isNew = isNew
      record.version = 7
      record.rowCount = 12
      record.recoveredCommitCount = 3
      record.cutByteCount = cut
      record.nanoseconds = 4_000_000
      record.migratedFrom = migrated
      return OpenReport(record).description
    }
    let start = "Version 7 with 12 objects, 3 commits recovered from the journal"
    #expect(text(cut: 0, migrated: nil) == start + ", in 4 ms.")
    #expect(text(cut: 1, migrated: nil) == start + ", an incomplete end of 1 bytes cut, in 4 ms.")
    #expect(text(cut: 0, migrated: 2) == start + ", migrated from schema version 2, in 4 ms.")
    #expect(text(cut: 0, migrated: nil, isNew: true) == "A new database.")
  }

  @Test func verifyingTellsOfAnUnfinishedCommitIfThereWasOne() {
    func text(cut: Int) -> String {
      var record = VerifyRecord()
      record.fileCount = 3
      record.byteCount = 4096
      record.version = 7
      record.rowCounts = [("City", 2), ("Person", 10)]
      record.journalCommitCount = 5
      record.cutByteCount = cut
      return VerifyReport(record, UnreadableValues()).description
    }
    let start = "3 files of 4096 bytes are sound: version 7, 12 objects, 5 commits in the journal"
    #expect(text(cut: 0) == start + ".")
    #expect(text(cut: 1) == start + ", 1 bytes of an unfinished commit.")
  }
}
