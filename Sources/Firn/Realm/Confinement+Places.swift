internal import CDispatch
internal import CFirn
package import Dispatch

/// Places as messages call them.
extension Confinement {
  /// What the realm belongs to.
  var owningPlace: String {
    switch self {
    case .mainThread: "the main thread"
    case .thread(let number, _, _): "thread \(number)"
    case .queue(let queue): "the queue '\(queue.label)'"
    case .actor(let actor): "the actor '\(type(of: actor))'"
    case .unbound: "the task that opened it"
    case .writeBlock: "a block of RealmStore.write on another thread"
    case .frozen: "nobody, since it is frozen"
    }
  }

  /// Where the caller runs.
  static var placeHere: String {
    if isMain { return "the main thread" }
    let label = String(cString: dispatch_queue_get_label(nil))
    if withUnsafeCurrentTask(body: { $0 != nil }) { return "a task on thread \(firn_thread_number())" }
    return label.isEmpty || label.hasPrefix("com.apple.root.")
      ? "thread \(firn_thread_number())" : "the queue '\(label)'"
  }
}

extension DispatchQueue {
  /// Whether it is the main queue, of which every access to `DispatchQueue.main` makes another object.
  var isMain: Bool { self === DispatchQueue.main || underlying != nil && underlying == DispatchQueue.main.underlying }

  /// The queue of libdispatch; nil if it cannot be told.
  private var underlying: OpaquePointer? { Mirror(reflecting: self).children.first?.value as? OpaquePointer }

  /// Whether the queue may run several blocks at a time. Asked through what libdispatch tells debuggers of its queues, since
  /// it has no function for it; false where it does not tell.
  package var isConcurrent: Bool {
    underlying.map { firn_queue_width(UnsafeRawPointer($0)) > 1 } ?? false
  }
}
