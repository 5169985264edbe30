#if Publishers
public import Dispatch
public import Firn

/// Something that publishers can be made of: objects, projections, collections, maps, sections.
public protocol RealmSubscribable {
  /// Sends the subscriber each new state, on a queue or where it belongs. A subscriber of other modules gets everything,
  /// whatever it demands.
  func _observe<S: Subscriber>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S) -> NotificationToken
  where S.Input == Self

  /// Tells the subscriber of each change.
  func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken where S.Input == Void
}

extension ObjectBase: RealmSubscribable {
  public func _observe<S: Subscriber>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
  ) -> NotificationToken where S.Input: ObjectBase {
    observe(keyPaths, on: queue, subscriber.deliveryGate) { (change: ObjectChange<S.Input>) in
      switch change {
      case .change(let object, _): _ = subscriber.receive(object)
      case .deleted: subscriber.receive(completion: .finished)
      case .error: break
      }
    }
  }

  public func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
  where S.Input == Void {
    observe(keyPaths, on: nil, subscriber.deliveryGate) { (change: ObjectChange<ObjectBase>) in
      switch change {
      case .change: _ = subscriber.receive(())
      case .deleted:
        _ = subscriber.receive(())
        subscriber.receive(completion: .finished)
      case .error: break
      }
    }
  }
}

extension RealmSubscribable where Self: RealmCollection {
  public func _observe<S: Subscriber>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
  ) -> NotificationToken where S.Input == Self {
    _observed.observe(Self.self, keyPaths, on: queue, subscriber.deliveryGate) { change in
      if let collection = change.confined { _ = subscriber.receive(collection) }
    }
  }

  public func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
  where S.Input == Void {
    _observed.observe(Self.self, keyPaths, on: nil, subscriber.deliveryGate) { _ in _ = subscriber.receive(()) }
  }
}

extension List: RealmSubscribable {}
extension MutableSet: RealmSubscribable {}
extension LinkingObjects: RealmSubscribable {}
extension Results: RealmSubscribable {}
extension AnyRealmCollection: RealmSubscribable {}

extension Map: RealmSubscribable {
  public func _observe<S: Subscriber>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
  ) -> NotificationToken where S.Input == Map {
    _observed.observe(Map.self, keyPaths, on: queue, subscriber.deliveryGate) { change in
      if let map = change.confined { _ = subscriber.receive(map) }
    }
  }

  public func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
  where S.Input == Void {
    _observed.observe(Map.self, keyPaths, on: nil, subscriber.deliveryGate) { _ in _ = subscriber.receive(()) }
  }
}

#endif
