public import Dispatch
internal import FirnEngine

extension ProjectionObservable {
  /// Calls a block when what the projection shows is written, or its object deleted.
  ///
  /// Without key paths exactly the projected properties are watched. A change lists members: in the order of the root's
  /// changed properties in its schema, and for each all members whose path begins with it, in the order of declaration,
  /// whether or not their value is another one. Both values are read through the members' key paths; the old one from an
  /// unmanaged object of the root class with the old values of what changed, so that behind a link it is what the object
  /// that was linked to holds now. Members that begin with a collection have no old value. A value that is not there, behind
  /// a link that is nil or at a position that its collection does not have, is nil.
  ///
  /// A member with `projectTo` watches its collection: insertions, removals and replacements, not what happens inside of the
  /// elements. There is no first call. Writing an equal value counts. Commits that were not delivered one by one arrive as
  /// one change.
  ///
  /// - Parameters:
  ///   - keyPaths: Paths of the root, such as `title` or `label.country`. Only members with exactly one of these paths are
  ///     watched and listed. Others are ignored; when none is left, only the deletion is told. Nil or empty for all.
  /// - Returns: A token to be kept as long as changes are wanted.
  ///
  /// The block is called where the object's realm is confined, with this projection, which the token does not keep: when it
  /// is gone, with another one of the same object. Traps for unmanaged, deleted and frozen objects, and after changes in a
  /// write transaction.
  public func observe(
    keyPaths: [String]? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    ProjectionObservation(self, StoreSchema.components(keyPaths), file, line).start(on: nil, block)
  }

  /// The same on a queue, with a projection of the object of the queue's realm, which is made once.
  ///
  /// - Parameter queue: A serial queue to deliver on; nil for where the object's realm is confined.
  @preconcurrency
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    ProjectionObservation(self, StoreSchema.components(keyPaths), file, line).start(on: queue, block)
  }

  /// The same with members of the projection: `[\.heading]`. They stand for what they project.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    ProjectionObservation(self, Self.components(keyPaths), file, line).start(on: nil, block)
  }

  /// The same with members of the projection, on a queue.
  @preconcurrency
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    ProjectionObservation(self, Self.components(keyPaths), file, line).start(on: queue, block)
  }

  /// The same on an actor, with a projection of the object of the actor's realm.
  ///
  /// Returns when the observer is registered; no change since the call is missed.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await ProjectionObservation(self, StoreSchema.components(keyPaths), file, line).start(on: actor, _isolation, block)
  }

  /// The same on an actor, with members of the projection.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await ProjectionObservation(self, Self.components(keyPaths), file, line).start(on: actor, _isolation, block)
  }

  /// Observes for a subscriber, whose gate says when it may be called.
  package func observe(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ gate: DeliveryGate?,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    ProjectionObservation(self, StoreSchema.components(keyPaths), #fileID, #line).start(on: queue, gate: gate, block)
  }
}
