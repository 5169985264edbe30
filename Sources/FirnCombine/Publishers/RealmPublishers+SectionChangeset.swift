#if Publishers
public import Firn

// Changes of one section have the form of those of all sections; the reference has a name for each.
extension RealmPublishers {
  /// Sends the exact changes of one section, at first `.initial`; see ``SectionedResultsChangeset``.
  public typealias SectionChangeset<Collection: RealmSectionedResult> = SectionedResultsChangeset<Collection>

  /// ``SectionChangeset`` that saves its token.
  public typealias SectionChangesetWithToken<Collection: RealmSectionedResult, T> = SectionedResultsChangesetWithToken<
    Collection, T
  >

  /// Sends changes of a section on a scheduler; see ``DeferredHandoverSectionedResultsChangeset``.
  public typealias DeferredHandoverSectionChangeset<
    Upstream: Publisher, T: RealmSectionedResult, S: Scheduler
  > = DeferredHandoverSectionedResultsChangeset<Upstream, T, S>
  where Upstream.Output == SectionedResultsChange<T>
}

#endif
