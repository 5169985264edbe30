internal import FirnEngine
internal import FirnReactive

extension SectionedResults {
  /// Changes of the sections and their elements, as an asynchronous sequence: `changes(_:keyPaths:)` with
  /// ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<SectionedResults>, SectionsDelta> { changes(.merged) }

  /// Changes of the sections and their elements, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says. A block that gives the keys is called on a queue of the
  /// store's own. Traps inside a write transaction.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<SectionedResults>, SectionsDelta> {
    let names = StoreSchema.components(keyPaths)
    let (core, name) = (core, "\(Self.self)")
    core.results.instance.checkCanStream(name)
    let source = StreamSource<Frozen<SectionedResults>, SectionsDelta>(
      core.results.instance.store, name, identity: { _ in nil },
      observe: { realm, tell in
        let moved = core.moved(to: realm)
        if moved.isInvalidated { return nil }
        let observer = SectionObserver(moved, moved.filter(names)) { change, _, counts in
          SectionsSpan(change, counting: counts)
        } _: { span in
          tell(span) { SectionedResults(moved).frozenUnlessGone() }
        }
        realm.observers().addNewcomer(observer)
        return observer
      }, delta: { SectionsDelta($0.paths) })
    return ChangeStream(source: source, delivery: delivery)
  }
}

extension ResultsSection {
  /// Changes of the section's elements, as an asynchronous sequence: `changes(_:keyPaths:)` with
  /// ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<ResultsSection>, SectionsDelta> { changes(.merged) }

  /// Changes of the section's elements, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// A section that comes and goes is told as such; there may be none at the beginning. Traps inside a write transaction.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<ResultsSection>, SectionsDelta> {
    let names = StoreSchema.components(keyPaths)
    let (core, sectionKey, name) = (core, sectionKey, "\(Self.self)")
    core.results.instance.checkCanStream(name)
    let source = StreamSource<Frozen<ResultsSection>, SectionsDelta>(
      core.results.instance.store, name, identity: { _ in nil },
      observe: { realm, tell in
        let moved = core.moved(to: realm)
        if moved.isInvalidated { return nil }
        let observer = SectionObserver(moved, moved.filter(names)) { change, tree, counts in
          SectionSpan.of(sectionKey, change, tree, counting: counts)
        } _: { span in
          // A section that does not exist is invalidated, and may come back.
          tell(span) { moved.isInvalidated ? nil : Frozen(alreadyFrozen: ResultsSection(moved, sectionKey).freeze()) }
        }
        realm.observers().addNewcomer(observer)
        return observer
      }, delta: { SectionsDelta($0.paths) })
    return ChangeStream(source: source, delivery: delivery)
  }
}

extension SectionsDelta {
  fileprivate init(_ paths: SectionPaths) {
    deletions = paths.deletions.map { Place(section: $0.section, item: $0.item) }
    insertions = paths.insertions.map { Place(section: $0.section, item: $0.item) }
    modifications = paths.modifications.map { Place(section: $0.section, item: $0.item) }
    deletedSections = paths.deletedSections
    insertedSections = paths.insertedSections
  }
}
