internal import Dispatch
internal import FirnEngine
internal import FirnReactive

/// A projection that is about to be observed.
struct ProjectionObservation<P: ProjectionObservable> {
  private let projection: P
  private let target: ObservationTarget
  private let source: ObservedRow
  private let members: [ProjectionMember]

  /// - Parameter paths: The paths of the root that are wanted; nil or none for all members.
  init(_ projection: P, _ paths: [[String]]?, _ file: StaticString, _ line: UInt) {
    self.projection = projection
    target = ObservationTarget(P.self, file: file, line: line)
    source = projection.rootObject.observableRow(target)
    let all = ProjectionMembers.of(projection).all
    let wanted = Set(paths ?? [])
    members = wanted.isEmpty ? all : all.filter { $0.path.reads.contains { wanted.contains($0.names) } }
  }

  /// Observes where the realm is confined, or on a queue.
  func start(
    on queue: DispatchQueue?, gate: DeliveryGate? = nil, _ block: @escaping (ObjectChange<P>) -> Void
  ) -> NotificationToken {
    source.instance.observe(target, on: queue, gate: gate) { observer($0, $1, block) }
  }

  /// Observes on an actor. Returns when the observer is registered.
  func start<A: Actor>(
    on actor: A, _ isolation: isolated (any Actor)?, _ block: @Sendable @escaping (isolated A, ObjectChange<P>) -> Void
  ) async -> NotificationToken {
    await source.instance.observe(target, on: actor, isolation) { [weak actor] realm, version in
      observer(realm, version) { change in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// - Parameter known: The version from which on changes count, if the realm is not the projection's own.
  func observer(
    _ realm: RealmInstance, _ known: Version?, _ block: @escaping (ObjectChange<P>) -> Void
  ) -> Observer {
    let receiver = known == nil ? projection : nil
    var made: P?
    let members = members
    // No member at all is no filter to `make`.
    let filter =
      members.isEmpty
      ? KeyPathFilter(paths: [])
      : KeyPathFilter.make(
        members.flatMap(\.observedPaths), realm.handle(source.table).layout.index, realm, followsLinks: false)
    // Weakly: a projection that keeps its token must not be kept by that.
    return source.observer(realm, known, filter) { [weak receiver] event in
      switch event {
      case .deleted: block(.deleted)
      case .change(let object, let changes):
        let projection =
          [receiver, made].lazy.compactMap(\.self).first { $0.rootObject === object } ?? P.projecting(object)
        if projection !== receiver { made = projection }
        let changes = ProjectedChanges.of(members, object, changes)
        if !changes.isEmpty { block(.change(projection, changes)) }
      }
    }
  }
}

/// What changes of an object are to the members of a projection.
enum ProjectedChanges {
  static func of(
    _ members: [ProjectionMember], _ object: ObjectBase, _ changes: [PropertyChange]
  ) -> [PropertyChange] {
    let before = object.unmanaged(before: changes, isWhole: members.contains { !$0.isExact })
    var told: Set<String> = []
    return changes.flatMap { change in
      let hadValue = before.known.contains(change.name)
      return members.compactMap { member -> PropertyChange? in
        guard member.isRead(change.name) else { return nil }
        // Several changes may be one of a member that is computed.
        if !told.insert(member.label).inserted, !member.isExact { return nil }
        return PropertyChange(
          name: member.label,
          oldValue: hadValue && !member.path.readsOtherCollections ? member.value(of: before.object) : nil,
          newValue: member.value(of: object))
      }
    }
  }
}

extension ProjectionMember {
  /// The paths of the root whose changes are changes of the member.
  fileprivate var observedPaths: [[String]] { path.reads.map(\.names) }

  fileprivate func isRead(_ name: String) -> Bool { observedPaths.contains { $0[0] == name } }
}

extension ObjectBase {
  /// An unmanaged object of the class with the old values of what changed, and the names of the properties that have one:
  /// collections have none.
  ///
  /// - Parameter isWhole: Whether it gets the present values of what did not change, too, but for collections.
  fileprivate func unmanaged(
    before changes: [PropertyChange], isWhole: Bool
  ) -> (object: ObjectBase, known: Set<String>) {
    let model = _model
    let object = model.type.init()
    var known: Set<String> = []
    if isWhole {
      for property in model.properties where !property.shape.isCollection {
        try? UnmanagedValues.keep(value(forKey: property.name) as Any, property, on: object, model)
      }
    }
    for change in changes {
      guard let property = model.properties.first(where: { $0.name == change.name }), !property.shape.isCollection,
        (try? UnmanagedValues.keep(change.oldValue as Any, property, on: object, model)) != nil
      else { continue }
      known.insert(change.name)
    }
    return (object, known)
  }
}
