#if Publishers
public import Dispatch
public import Firn

extension RealmSubscribable where Self: RealmSectionedResult {
  public func _observe<S: Subscriber>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ subscriber: S
  ) -> NotificationToken where S.Input == Self {
    _observedSections.observe(Self.self, keyPaths, on: queue, subscriber.deliveryGate) { change in
      if let sections = change.confined { _ = subscriber.receive(sections) }
    }
  }

  public func _observe<S: Subscriber>(_ keyPaths: [String]?, _ subscriber: S) -> NotificationToken
  where S.Input == Void {
    _observedSections.observe(Self.self, keyPaths, on: nil, subscriber.deliveryGate) { _ in
      _ = subscriber.receive(())
    }
  }
}

extension SectionedResults: RealmSubscribable {}
extension ResultsSection: RealmSubscribable {}

extension RealmSectionedResult where Self: RealmSubscribable {
  /// Tells that the sections changed, after the commit was delivered. The first value comes without a change.
  public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

  /// Sends the sections, or the section, at first and after each change.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self, nil) }

  /// The same for some properties of the elements; see `observe(keyPaths:_:)`.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
    RealmPublishers.Value(self, keyPaths)
  }
}

extension SectionedResults {
  /// Sends the exact changes of the sections, at first `.initial`.
  public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<SectionedResults> {
    RealmPublishers.SectionedResultsChangeset(self)
  }

  /// The same for some properties of the elements; see `observe(keyPaths:_:)`.
  public func changesetPublisher(
    keyPaths: [String]?
  ) -> RealmPublishers.SectionedResultsChangeset<SectionedResults> {
    RealmPublishers.SectionedResultsChangeset(self, keyPaths)
  }
}

extension ResultsSection {
  /// Sends the exact changes of the section, at first `.initial`.
  public var changesetPublisher: RealmPublishers.SectionChangeset<ResultsSection> {
    RealmPublishers.SectionChangeset(self)
  }

  /// The same for some properties of the elements; see `observe(keyPaths:_:)`.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionChangeset<ResultsSection> {
    RealmPublishers.SectionChangeset(self, keyPaths)
  }
}

#endif
