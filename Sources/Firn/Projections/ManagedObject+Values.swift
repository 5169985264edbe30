public import Dispatch

extension _ManagedObject {
  /// Calls a block with a new value of the object whenever one of ``ValueProjection/keyPaths`` changes, and with nil when
  /// the object was deleted; nothing follows that.
  ///
  /// There is no first call: `Row(projecting:)` makes a value of what is there. Without key paths every property of the
  /// object itself counts. The block is called where the object's realm is confined; what it gets may go anywhere. Commits
  /// that were not delivered one by one arrive as one value. Traps as `observe(keyPaths:_:)` does.
  ///
  /// - Returns: A token to be kept as long as changes are wanted.
  public func observe<Row: ValueProjection>(
    as type: Row.Type, file: StaticString = #fileID, line: UInt = #line, _ block: @escaping (Row?) -> Void
  ) -> NotificationToken where Row.Root == Self {
    observe(keyPaths: Row.keyPaths, file: file, line: line) { (change: ObjectChange<Self>) in block(Row.now(change)) }
  }

  /// The same on a queue: values are made there, of the object of the queue's realm.
  ///
  /// - Parameter queue: A serial queue; nil for where the object's realm is confined.
  @preconcurrency
  public func observe<Row: ValueProjection>(
    as type: Row.Type, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (Row?) -> Void
  ) -> NotificationToken where Row.Root == Self {
    observe(keyPaths: Row.keyPaths, on: queue, file: file, line: line) { (change: ObjectChange<Self>) in
      block(Row.now(change))
    }
  }
}

extension _ManagedObject where Self: Object {
  /// The same on an actor, whatever its executor is. Returns when the observer is registered; no change since the call is
  /// missed.
  public func observe<Row: ValueProjection, A: Actor>(
    as type: Row.Type, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, _ block: @Sendable @escaping (isolated A, Row?) -> Void
  ) async -> NotificationToken where Row.Root == Self {
    await observe(keyPaths: Row.keyPaths, on: actor, _isolation: _isolation, file: file, line: line) {
      (place: isolated A, change: ObjectChange<Self>) in block(place, Row.now(change))
    }
  }
}

extension ValueProjection {
  /// The value after a change; nil of an object that was deleted.
  fileprivate static func now(_ change: ObjectChange<Root>) -> Self? {
    switch change {
    case .change(let object, _): Self(projecting: object)
    case .deleted, .error: nil
    }
  }
}
