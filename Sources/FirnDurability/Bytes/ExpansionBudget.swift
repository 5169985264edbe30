internal import Synchronization

/// Counts what the files of a store take in memory, and ends their reading before it is too much: a few bytes of a file can
/// stand for many.
///
/// State           guarded by
/// byteCountMax    atomic; raised by the thread that opens the files
/// fileByteCount   atomic; the same
/// claimed         atomic
/// built           atomic; written by the thread that makes the graph
/// highest         atomic
package final class ExpansionBudget: Sendable {
  private let limit: Atomic<Int>
  /// Whether the limit follows from the bytes of the files.
  private let isStandard: Bool
  private let fileByteCount = Atomic<Int>(0)
  /// The bytes that are about to be allotted.
  private let claimed = Atomic<Int>(0)
  /// The bytes that the graph takes.
  private let built = Atomic<Int>(0)
  private let highest = Atomic<Int>(0)

  /// - Parameter byteCountMax: Nil for what fits the files that are opened.
  package init(byteCountMax: Int?) {
    isStandard = byteCountMax == nil
    limit = Atomic(Self.limit(byteCountMax, fileByteCount: 0))
  }

  /// Counts only.
  package static var unlimited: ExpansionBudget { ExpansionBudget(byteCountMax: .max) }

  package var byteCountMax: Int { limit.load(ordering: .relaxed) }

  /// The most that was taken at any time so far.
  package var byteCount: Int { highest.load(ordering: .relaxed) }

  /// The bytes that were claimed and not given back. They stay in memory beside the graph.
  var claimedByteCount: Int { claimed.load(ordering: .relaxed) }

  /// Called before memory is allotted.
  func claim(_ byteCount: Int) throws(DecodingError) {
    let built = built.load(ordering: .relaxed)
    let before = claimed.load(ordering: .relaxed) + built
    if byteCount > byteCountMax - before { throw DecodingError(beyondBudget: byteCountMax) }
    highest.max(claimed.wrappingAdd(byteCount, ordering: .relaxed).newValue + built, ordering: .relaxed)
  }

  /// The same for so many things of one size.
  func claim(_ count: Int, each byteCount: Int) throws(DecodingError) {
    let (product, overflows) = count.multipliedReportingOverflow(by: byteCount)
    try claim(overflows ? .max : product)
  }

  /// Gives back what was claimed and is not in memory any more.
  func release(_ byteCount: Int) { claimed.wrappingSubtract(byteCount, ordering: .relaxed) }

  /// Gives back the claims of `body` when it returns: nothing of it stays in memory. No other thread claims meanwhile.
  func releasing<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let before = claimed.load(ordering: .relaxed)
    defer { claimed.store(before, ordering: .relaxed) }
    return try body()
  }

  /// Called with what the graph takes, which counts from then on. Throws when that is too much.
  func didBuild(_ byteCount: Int) throws(DecodingError) {
    built.store(byteCount, ordering: .relaxed)
    highest.max(byteCount + claimed.load(ordering: .relaxed), ordering: .relaxed)
    if !hasRoom(for: byteCount) { throw DecodingError(beyondBudget: byteCountMax) }
  }

  /// Whether the graph may take so much.
  func hasRoom(for byteCount: Int) -> Bool { byteCount <= byteCountMax - claimed.load(ordering: .relaxed) }

  /// Called with what the graph takes while it changes, which is told and not counted.
  func didReach(_ byteCount: Int) {
    highest.max(byteCount + claimed.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// The bytes that the graph may take while it changes: a copy of all that is there may wait to be freed.
  var builtByteCountMax: Int {
    let sum = byteCountMax.addingReportingOverflow(built.load(ordering: .relaxed))
    return sum.overflow ? .max : sum.partialValue
  }

  /// Called with each file, or part of one, that holds something: more may stand for more.
  func didOpen(fileByteCount byteCount: Int) {
    if !isStandard { return }
    let sum = fileByteCount.load(ordering: .relaxed).addingReportingOverflow(byteCount)
    fileByteCount.store(sum.overflow ? .max : sum.partialValue, ordering: .relaxed)
    limit.store(Self.standard(fileByteCount: fileByteCount.load(ordering: .relaxed)), ordering: .relaxed)
  }

  /// The memory that a store of so many bytes may take; its owner's limit is nil where nobody has set one.
  static func limit(_ byteCountMax: Int?, fileByteCount: Int) -> Int {
    byteCountMax ?? standard(fileByteCount: fileByteCount)
  }

  /// What a store of so many bytes may take unless its owner says otherwise.
  package static func standard(fileByteCount: Int) -> Int {
    max(4 << 30, fileByteCount.multipliedReportingOverflow(by: 1_000).overflow ? .max : fileByteCount * 1_000)
  }
}

extension StoreError {
  /// Calls `body`, which only counts what the files of the store at `path` take.
  static func paying(_ path: String, _ body: () throws(DecodingError) -> Void) throws(StoreError) {
    do throws(DecodingError) { try body() } catch { throw beyondBudget(path, error.budget ?? 0) }
  }

  /// Files that would take too much memory.
  static func beyondBudget(_ path: String, _ byteCountMax: Int) -> StoreError {
    StoreError(
      .fail,
      "Opening '\(path)' takes more than \(byteCountMax) bytes of memory. If the file is what it should be, raise "
        + "Realm.Configuration.expandedByteCountMax.", path: path)
  }
}
