internal import FirnEngine

/// The changes of something in a database, as an asynchronous sequence.
///
///     for await change in flights.where({ $0.delay > 30 }).changes {
///         switch change {
///         case .initial(let flights), .reset(let flights): show(flights)
///         case .update(let flights, let delta, causes: _): update(flights, delta)
///         case .deleted: break
///         }
///     }
///
/// Everything that can be observed has `changes`. Elements are frozen and Sendable. The first one is
/// ``StreamedChange/initial(_:)``; nothing that is committed after it is missed. A subscriber sets the pace: what happens
/// until it asks again waits as its ``ChangeDelivery`` says.
///
/// Each iteration is a subscription of its own, which begins when its first element is asked for and ends with the iterator, with the
/// task's cancellation (`next()` then returns nil at once), when the object is deleted, and when the store is closed. What is asked for in a database that was opened for
/// reading only never changes: its first element is the last.
///
/// All subscriptions of a store share what is maintained for them, equal ones also what waits; changes are prepared on a queue of the
/// store's own. A commit costs a subscriber that is behind nothing, and one that waits the resumption of its task.
///
/// The sequence keeps the collection that it was made of, and with that the version of its realm, if the realm does not
/// move: let it go when the iteration has begun, or use ``RealmStore/changes(_:keyPaths:of:)``, which keeps none.
public struct ChangeStream<Content: Sendable, Delta: Sendable>: AsyncSequence, Sendable {
  public typealias Element = StreamedChange<Content, Delta>
  public typealias Failure = Never

  let source: StreamSource<Content, Delta>
  let delivery: ChangeDelivery

  public func makeAsyncIterator() -> Iterator { Iterator(StreamSubscription(source, delivery)) }

  /// One subscription. Not to be used by several tasks at the same time.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: Handle

    init(_ subscription: StreamSubscription<Content, Delta>) { handle = Handle(subscription) }

    /// The next change; nil when the sequence has ended or the task was cancelled.
    public mutating func next() async -> Element? { await handle.subscription.next() }

    /// The same, going on where the caller is isolated.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await handle.subscription.next()
    }

    /// Nothing follows.
    func end() { handle.subscription.end() }
  }

  /// Ends the subscription with the iterator.
  private final class Handle: Sendable {
    let subscription: StreamSubscription<Content, Delta>

    init(_ subscription: StreamSubscription<Content, Delta>) { self.subscription = subscription }

    deinit { subscription.end() }
  }
}
