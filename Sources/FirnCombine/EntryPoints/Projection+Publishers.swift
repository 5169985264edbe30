#if Publishers
public import Dispatch
public import Firn

extension Projection: ObservableObject {
  /// Tells that a member of the projection was written, after the commit was delivered, and that the object was deleted.
  public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
}

extension Projection: RealmSubscribable {
  public func _observe<S: Subscriber>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
  ) -> NotificationToken where S.Input: Projection<Root> {
    guard let projection = self as? S.Input else {
      fatalError("A projection of class '\(type(of: self))' cannot be published as '\(S.Input.self)'.")
    }
    return projection.observe(keyPaths, on: queue, subscriber.deliveryGate) { (change: ObjectChange<S.Input>) in
      switch change {
      case .change(let projection, _): _ = subscriber.receive(projection)
      case .deleted: subscriber.receive(completion: .finished)
      case .error: break
      }
    }
  }

  public func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
  where S.Input == Void {
    observe(keyPaths, on: nil, subscriber.deliveryGate) { (change: ObjectChange<Projection>) in
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

/// A publisher of a projection: sends it after each change of a member, and finishes when the object is deleted.
///
/// Traps for a projection of an object that is unmanaged or deleted.
public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
  _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(projection, keyPaths)
}

/// A publisher of what is written to the members of a projection; it finishes when the object is deleted.
///
/// Traps for a projection of an object that is unmanaged or deleted.
public func changesetPublisher<T: ProjectionObservable>(
  _ projection: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> {
  checkIsThere(projection)
  return RealmPublishers.ObjectChangeset(keyPaths) { keyPaths, queue, gate, block in
    projection.observe(keyPaths, on: queue, gate, block)
  }
}

#endif
