internal import CFirn
internal import Dispatch
internal import FirnEngine
internal import Foundation

/// What a realm belongs to, and therefore where it may be written and where its notifications are delivered.
enum Confinement: @unchecked Sendable {
  case mainThread
  /// A thread with its run loop, by its number, which is never used again, and its address, which may be.
  case thread(UInt64, UnsafeMutableRawPointer, RunLoop)
  case queue(DispatchQueue)
  case actor(any Actor)
  /// Opened inside a task, away from the main thread and without an actor. Usable by one task at a time.
  case unbound
  /// The realm of one write block: belongs to the thread that runs it, for as long as it runs.
  case writeBlock
  case frozen

  /// Realms of one store with the same key are one realm.
  enum Key: Hashable {
    case mainThread
    case thread(UInt64)
    case queue(ObjectIdentifier)
    case actor(ObjectIdentifier)
  }

  var key: Key? {
    switch self {
    case .mainThread: .mainThread
    case .thread(let number, _, _): .thread(number)
    case .queue(let queue): .queue(ObjectIdentifier(queue))
    case .actor(let actor): actor === MainActor.shared ? .mainThread : .actor(ObjectIdentifier(actor))
    case .unbound, .writeBlock, .frozen: nil
    }
  }

  /// The confinement of a realm that is opened here without saying more.
  static func here() -> Confinement {
    if isMain { return .mainThread }
    if withUnsafeCurrentTask(body: { $0 != nil }) { return .unbound }
    return .thread(firn_thread_number(), firn_thread_pointer(), RunLoop.current)
  }

  /// The confinement of a realm that belongs to a queue. Traps for a concurrent one, which runs several blocks at a time.
  static func to(_ queue: DispatchQueue, _ site: CallSite?) -> Confinement {
    if queue.isMain { return .mainThread }
    if queue.isConcurrent {
      RealmInstance.trap(
        site,
        "Invalid queue '\(queue.label)': Realms can only be confined to serial queues or the main queue, and this one runs "
          + "several blocks at a time. Make a queue without the attribute .concurrent; it may have this one as its target."
      )
    }
    return .queue(queue)
  }

  /// The confinement of a realm that belongs to an actor. The main actor's is the main thread's.
  static func to(_ actor: any Actor) -> Confinement { actor === MainActor.shared ? .mainThread : .actor(actor) }

  /// The thread that owns the realm, for realms that belong to one.
  var owner: UnsafeMutableRawPointer? {
    switch self {
    case .mainThread: firn_is_main_thread() ? firn_thread_pointer() : firn_main_thread_pointer()
    case .thread(_, let thread, _): thread
    case .writeBlock: firn_thread_pointer()
    case .queue, .actor, .unbound, .frozen: nil
    }
  }

  /// Whether code here may write, observe and refresh. Realms of actors and tasks cannot tell; their callers do.
  func allowsMutationHere(owner: UnsafeMutableRawPointer?) -> Bool {
    switch self {
    case .mainThread: Self.isMain
    case .thread(let number, _, _): number == firn_thread_number()
    case .writeBlock: owner == firn_thread_pointer()
    case .queue(let queue):
      DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue)
    case .actor(let actor): actor !== MainActor.shared || Self.isMain
    case .unbound: true
    case .frozen: false
    }
  }

  /// Whether the realm belongs to the actor that the caller is isolated to, as far as can be told.
  var isOfCurrentActor: Bool {
    guard case .actor(let actor) = self, let current = firn_current_actor() else { return false }
    return ObjectIdentifier(actor) == unsafeBitCast(current, to: ObjectIdentifier.self)
  }

  /// What code here blocks when it blocks its thread, beside that thread.
  static func homesHere() -> [GateHolder.Home] {
    var homes: [GateHolder.Home] = [.thread]
    if isMain { homes.append(mainHome) }
    if let queue = DispatchQueue.getSpecific(key: queueKey) { homes.append(home(queue)) }
    if let task = taskHome { homes.append(task) }
    homes.append(actorHome)
    return homes
  }

  /// What a transaction belongs to that was begun here and may still be open when the function returns that began it.
  var transactionHome: GateHolder.Home {
    switch self {
    case .mainThread: Self.mainHome
    case .thread, .writeBlock: .thread
    case .queue(let queue): Self.home(ObjectIdentifier(queue))
    // Other tasks of the actor may end it.
    case .actor: Self.actorHome
    case .unbound, .frozen: Self.taskHome ?? .unknown
    }
  }

  private static var mainHome: GateHolder.Home { home(mainQueue) }

  /// Unknown where there is no actor.
  private static var actorHome: GateHolder.Home { GateHolder.Home(UInt(bitPattern: firn_current_actor())) }

  /// Nil where there is no task.
  static var taskHome: GateHolder.Home? {
    withUnsafeCurrentTask { task in task.map { GateHolder.Home(UInt(bitPattern: $0.hashValue)) } }
  }

  private static func home(_ queue: ObjectIdentifier) -> GateHolder.Home {
    GateHolder.Home(UInt(bitPattern: queue.hashValue))
  }

  static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  /// Whether this is the main thread, or code of the main queue on another one: on this platform the main queue, and with
  /// it the main actor, moves to worker threads when an asynchronous `main` suspends for the first time.
  static var isMain: Bool {
    if firn_is_main_thread() { return true }
    // Marks the queue, which therefore comes before the look at the mark.
    let main = mainQueue
    return DispatchQueue.getSpecific(key: queueKey) == main
  }

  private static let mainQueue: ObjectIdentifier = {
    let id = ObjectIdentifier(mainWrapper)
    mainWrapper.setSpecific(key: queueKey, value: id)
    return id
  }()

  /// Stands for the main queue, and is kept: on this platform each `DispatchQueue.main` is another object.
  private static let mainWrapper = DispatchQueue.main

  /// Whether something runs what is scheduled: on a thread that is not the main one, its run loop, if it runs.
  var canSchedule: Bool {
    switch self {
    case .mainThread, .queue, .actor: true
    case .thread(_, _, let runLoop): runLoop.currentMode != nil
    case .unbound, .writeBlock, .frozen: false
    }
  }

  /// Runs `body` there, soon. False when there is no place where anything could run by itself.
  func schedule(_ body: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .mainThread:
      // A run loop inside of a block of the main queue does not serve that queue. Whichever comes first runs it.
      if RunLoop.main.currentMode != nil {
        let once = Once(body)
        Self.perform(on: .main) { once.run() }
        DispatchQueue.main.async { once.run() }
      } else {
        DispatchQueue.main.async(execute: body)
      }
    case .thread(_, _, let runLoop):
      Self.perform(on: runLoop, body)
    case .queue(let queue):
      queue.async(execute: body)
    case .actor(let actor):
      Task { await Self.run(on: actor, body) }
    case .unbound, .writeBlock, .frozen:
      return false
    }
    return true
  }

  private static func perform(on runLoop: RunLoop, _ body: @escaping @Sendable () -> Void) {
    runLoop.perform(body)
    // Performing does not wake a sleeping run loop on this platform; a timer does.
    runLoop.add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default)
  }

  private static func run(on actor: isolated any Actor, _ body: @Sendable () -> Void) { body() }
}

/// Runs a block when it is first asked to.
private final class Once: Sendable {
  private let body: Lock<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Lock(body) }

  func run() { body.withLock { $0.take() }?() }
}
