#if Publishers
internal import Firn

/// A value or a change on its way to another scheduler.
enum Carried<Output, Confined: ThreadConfined> {
  /// May be used everywhere: unmanaged, frozen, or without anything that is confined.
  case asItIs(Output)
  case handedOver(HandedOver<Confined>, (Confined) -> Output)

  /// Nil when there is nothing that could be handed over.
  init?(_ value: Output) where Output == Confined {
    if value.isInvalidated { return nil }
    self.init(value, value) { $0 }
  }

  /// The last change of a collection whose object was deleted comes with the collection as it is, which is gone.
  init(_ change: Output) where Output: ConfinedChange<Confined> {
    guard let confined = change.confined, !confined.isInvalidated else {
      self = .asItIs(change)
      return
    }
    self.init(change, confined) { change.with($0) }
  }

  private init(_ output: Output, _ confined: Confined, _ make: @escaping (Confined) -> Output) {
    self =
      confined.realm == nil || confined.isFrozen ? .asItIs(output) : .handedOver(HandedOver(confined), make)
  }

  /// What arrives when it is looked up there; nil when that does not find it.
  func arrived(_ find: (HandedOver<Confined>) -> Confined?) -> Output? {
    switch self {
    case .asItIs(let output): output
    case .handedOver(let reference, let make): find(reference).map(make)
    }
  }
}

extension Publisher {
  /// Sends values on a scheduler, as the realm of that place has them.
  func handOver<S: Scheduler, Downstream: Subscriber>(
    on scheduler: S, to subscriber: Downstream
  ) where Output: ThreadConfined, Downstream.Input == Output, Downstream.Failure == Failure {
    let place = HandoverPlace(of: scheduler)
    compactMap { Carried($0) }.receive(on: scheduler).compactMap { carried in
      carried.arrived { $0.resolved(at: place) }
    }.receive(subscriber: subscriber)
  }

  /// Sends changes on a scheduler, each with the object or collection in the version of the change, so that values and
  /// positions fit.
  func handOverExactly<S: Scheduler, Downstream: Subscriber>(
    on scheduler: S, to subscriber: Downstream
  ) where Output: ConfinedChange, Downstream.Input == Output, Downstream.Failure == Failure {
    let realm = HandoverRealm(HandoverPlace(of: scheduler))
    map { Carried($0) }.receive(on: scheduler).compactMap { carried in
      carried.arrived { $0.resolved(in: realm) }
    }.receive(subscriber: subscriber)
  }
}

#endif
