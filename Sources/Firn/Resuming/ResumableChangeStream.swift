internal import FirnEngine
internal import FirnReactive

/// The changes of results, as an asynchronous sequence that goes on where a subscriber stopped, also after a restart.
///
///     for await change in store.resumableChanges(after: token, of: { $0.objects(Flight.self) }) {
///       switch change {
///       case .initial(let flights, let token), .reset(let flights, let token): replaceAll(flights, token)
///       case .resumed(let delta, let token), .update(let delta, let token): apply(delta, token)
///       }
///     }
///
/// Each element has a ``ResumeToken``. Given back, it leads to one ``ResumableChange/resumed(_:token:)`` with
/// everything that happened since, and then to ``ResumableChange/update(_:token:)``s. What happened comes from the
/// history of the database: the journal, as far as ``Realm/Configuration/history`` and the last checkpoint leave it.
/// The first element is a ``ResumableChange/reset(_:token:)`` instead where that does not tell:
///
/// - it does not reach back to the token, or cannot be read (which is logged);
/// - the token is of another database, of one in memory that was opened anew, or of a commit that was lost with the
///   machine;
/// - classes or properties changed since;
/// - the class has no primary key;
/// - the results are of a list or of backlinks, or are limited (`prefix(_:)`, `suffix(_:)`, `distinct(by:)`);
/// - the condition or the key paths read backlinks, and links changed of which these are.
///
/// Results of a class without primary key, of a list or of backlinks, and limited ones change by resets, too.
///
/// A subscriber sets the pace, as with ``ChangeStream``: what happens until it asks again is merged, and is given up
/// when it takes more than ``Realm/Configuration/maximumObserverLag``, which leads to a reset. The sequence ends with
/// the task's cancellation, when the store is closed, and when the object is deleted that a list or backlinks belong
/// to. Each iteration is a subscription of its own.
///
/// - Complexity: A resumption reads everything that was committed since the token, on threads in the background. An
///   update costs the objects that came, changed or left.
public struct ResumableChangeStream<Model: Object>: AsyncSequence, Sendable {
  public typealias Element = ResumableChange<Model>
  public typealias Failure = Never

  let changes: ChangeStream<Frozen<Results<Model>>, KeyedChange>
  let token: ResumeToken?
  let names: [[String]]?

  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes.makeAsyncIterator(), token: token, names: names)
  }

  /// One subscription. Not to be used by several tasks at the same time.
  public struct Iterator: AsyncIteratorProtocol {
    var changes: ChangeStream<Frozen<Results<Model>>, KeyedChange>.Iterator
    /// Where to go on; nil where there is no such place.
    let token: ResumeToken?
    let names: [[String]]?

    /// The next change; nil when the sequence has ended or the task was cancelled.
    public mutating func next() async -> ResumableChange<Model>? { await next(isolation: nil) }

    /// The same, going on where the caller is isolated.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ResumableChange<Model>? {
      switch await changes.next(isolation: actor) {
      case nil, .deleted: return nil
      case .initial(let content):
        guard let token else { return .initial(content, token: await content.resumeToken()) }
        if let change = await Self.resumed(content, after: token, names) { return change }
        // What follows would be told without what happened before.
        changes.end()
        return nil
      case .reset(let content): return .reset(content, token: await content.resumeToken())
      case .update(let content, let change, let causes):
        if change.isUnknown { return .reset(content, token: await content.resumeToken()) }
        return .update(content.delta(change.present, change.left, causes), token: await content.resumeToken())
      }
    }

    private static func resumed(
      _ content: Frozen<Results<Model>>, after token: ResumeToken, _ names: [[String]]?
    ) async -> ResumableChange<Model>? {
      do {
        if let delta = try await content.delta(after: token, names) {
          return .resumed(delta, token: await content.resumeToken())
        }
      } catch is CancellationError {
        return nil
      } catch {
        Log.warning("A subscriber of \(Results<Model>.self) starts anew: \(error)")
      }
      return Task.isCancelled ? nil : .reset(content, token: await content.resumeToken())
    }
  }
}
