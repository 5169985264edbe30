/// Work for another thread, and what came of it. The thread keeps neither when it tells of the end.
///
/// A task that waited may let go of everything then: of a store, which is closed by that. Anything that the thread
/// still held would keep the store open for as long as the system lets other threads run first.
///
/// State     guarded by
/// body      touched by the thread that runs it, before that tells of the end
/// outcome   written by that thread, and then touched by the one who waited
package final class Errand<Result>: @unchecked Sendable {
  private var body: (@Sendable () throws -> Result)?
  private var outcome: Swift.Result<Result, any Error>?

  package init(_ body: @escaping @Sendable () throws -> Result) { self.body = body }

  /// Does the work at once, for those who tell of the end when this has returned.
  package static func done(_ body: @escaping @Sendable () throws -> Result) -> Errand {
    let errand = Errand(body)
    errand.run()
    return errand
  }

  /// Does the work. Tell of the end when this has returned, not before.
  package func run() {
    guard let body = body.take() else { fatalError("An errand was run twice.") }
    outcome = Swift.Result { try body() }
  }

  /// Returns what the work returned, or throws what it threw.
  package func take() throws -> Result {
    guard let outcome = outcome.take() else { fatalError("The outcome of an errand was taken before it was there.") }
    return try outcome.get()
  }
}
