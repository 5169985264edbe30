public import Dispatch
internal import FirnDurability
internal import FirnEngine
internal import Synchronization

extension Realm {
  /// Opens a database in the background, and calls back with a realm of a queue.
  ///
  /// The callback is called exactly once, on the queue, unless the opening is cancelled before. In a task, prefer
  /// `Realm.open(configuration:)`.
  ///
  /// - Parameters:
  ///   - callbackQueue: A serial queue, to which the realm belongs. Traps for a concurrent one.
  ///   - callback: Gets the realm, or what opening would have thrown.
  /// - Returns: What cancels the opening; it may be dropped.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    file: StaticString = #fileID, line: UInt = #line, callback: @escaping (Result<Realm, Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let site = CallSite(function: "Realm.asyncOpen", file: file, line: line)
    let confinement = Confinement.to(callbackQueue, site)
    let task = AsyncOpenTask(state: AsyncOpenState())
    let callback = Handover(callback)
    // Not by a task: whoever blocks threads that tasks need until the callback comes gets it all the same.
    Store.open(configuration) { opened in
      callbackQueue.async {
        guard task.state.end() else { return }
        callback.value(Result { Realm(try opened.take().realm(confinement, configuration)) })
      }
    }
    return task
  }

  /// An opening that is under way: see ``Realm/asyncOpen(configuration:callbackQueue:file:line:callback:)``.
  @frozen
  public struct AsyncOpenTask: Sendable {
    @usableFromInline let state: AsyncOpenState

    /// Keeps the callback from being called, if it has not been called yet. Any thread.
    public func cancel() { _ = state.end() }
  }
}

/// Whether an opening is over.
@usableFromInline
final class AsyncOpenState: Sendable {
  private let isOver = Atomic(false)

  /// False when it was over before.
  func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}
