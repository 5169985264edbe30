#if Publishers
internal import Dispatch
public import Firn
internal import FirnEngine

extension Realm {
  /// A publisher that opens a database in the background, sends its realm and finishes, or fails.
  ///
  /// Opening begins with the first demand. The realm belongs to the main queue, or to the queue of `receive(on:)`.
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration
  ) -> RealmPublishers.AsyncOpenPublisher {
    RealmPublishers.AsyncOpenPublisher(configuration, .main)
  }
}

extension RealmPublishers {
  /// Opens a database for each subscriber.
  @frozen
  public struct AsyncOpenPublisher: Publisher {
    public typealias Output = Realm
    public typealias Failure = any Error

    let configuration: Realm.Configuration
    let queue: DispatchQueue

    init(_ configuration: Realm.Configuration, _ queue: DispatchQueue) {
      self.configuration = configuration
      self.queue = queue
    }

    /// Gives the subscriber its subscription; its first demand opens the database.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Realm, S.Failure == any Error {
      let (configuration, queue) = (configuration, queue)
      let open = { (callback: @escaping (Result<Realm, any Error>) -> Void) in
        Realm.asyncOpen(configuration: configuration, callbackQueue: queue, callback: callback)
      }
      subscriber.receive(
        subscription: AsyncOpenSubscription(
          Opening(open) { result in
            switch result {
            case .success(let realm):
              _ = subscriber.receive(realm)
              subscriber.receive(completion: .finished)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            }
          }))
    }

    /// Opens the realm of a serial queue. Traps for other schedulers.
    public func receive<S: Scheduler>(on scheduler: S) -> Self {
      AsyncOpenPublisher(configuration, serialQueue(of: scheduler))
    }
  }
}

/// The subscription to the opening of a database.
@frozen
public struct AsyncOpenSubscription: Subscription {
  private let opening: Opening

  fileprivate init(_ opening: Opening) { self.opening = opening }

  public var combineIdentifier: CombineIdentifier { CombineIdentifier(opening) }

  /// Opens the database, the first time that anything is demanded. Any thread.
  public func request(_ demand: Subscribers.Demand) { if demand > .none { opening.begin() } }

  /// Keeps the realm from being sent, if it has not been sent yet. Any thread.
  public func cancel() { opening.cancel() }
}

/// The opening of a database for one subscriber.
///
/// State    guarded by
/// state    its lock
@usableFromInline
final class Opening {
  typealias Callback = (Result<Realm, any Error>) -> Void

  private enum State {
    case waiting(open: (@escaping Callback) -> Realm.AsyncOpenTask, Callback)
    case opening(Callback)
    case over
  }

  private let state: Guarded<State>

  init(_ open: @escaping (@escaping Callback) -> Realm.AsyncOpenTask, _ callback: @escaping Callback) {
    state = Guarded(.waiting(open: open, callback))
  }

  fileprivate func begin() {
    let open: ((@escaping Callback) -> Realm.AsyncOpenTask)? = state.withLock { state in
      guard case .waiting(let open, let callback) = state else { return nil }
      state = .opening(callback)
      return open
    }
    _ = open? { self.end()?($0) }
  }

  fileprivate func cancel() { _ = end() }

  /// Whom to tell, the first time.
  private func end() -> Callback? {
    state.withLock { state in
      defer { state = .over }
      if case .opening(let callback) = state { return callback }
      return nil
    }
  }
}

#endif
