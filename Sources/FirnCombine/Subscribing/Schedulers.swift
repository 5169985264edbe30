#if Publishers
internal import Dispatch
internal import Firn

/// The queue that a scheduler is; nil for schedulers of other kinds.
func dispatchQueue<S: Scheduler>(of scheduler: S) -> DispatchQueue? {
  #if !canImport(Combine)
  if let scheduler = scheduler as? DispatchQueue.OCombine { return scheduler.queue }
  #endif
  return scheduler as? DispatchQueue
}

/// The queue that a scheduler is. Traps for one on which nothing can be observed.
func serialQueue<S: Scheduler>(of scheduler: S) -> DispatchQueue {
  guard let queue = dispatchQueue(of: scheduler), !queue.isConcurrent else {
    fatalError(
      "Cannot subscribe on scheduler '\(scheduler)': only serial dispatch queues can be subscribed on. Make one without the "
        + "attribute .concurrent.")
  }
  return queue
}

extension HandoverPlace {
  /// Where a scheduler runs what it is given. Traps for a concurrent queue.
  init<S: Scheduler>(of scheduler: S) { self.init(dispatchQueue(of: scheduler)) }
}

#endif
