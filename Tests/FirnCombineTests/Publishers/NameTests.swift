import FirnCombine
import TestSupport
import Testing

@testable import Firn

/// The types that code written for the reference may spell, and its older names.
@Suite struct NameTests {
  typealias Publishing = RealmPublishers
  typealias All = Results<Person>
  typealias Sections = SectionedResults<Int, Person>
  typealias Section = ResultsSection<Int, Person>

  @Test func whatModifiersReturnHasTheNamesOfTheReference() throws {
    try onOwnThread {
      let people = try People(1)
      let (a, all, holder, queue) = (people[0], people.all, TokenHolder(), DispatchQueue(label: "elsewhere"))
      let sections = all.sectioned(by: \.age)
      let value: Publishing.Value<All> = all.collectionPublisher.subscribe(on: queue)
      let handedOver: Publishing.Handover<Publishing.Value<All>, DispatchQueue> = value.receive(on: queue)
      let safe: Publishing.MakeThreadSafe<Publishing.Value<All>> = value.threadSafeReference()
      let deferred: Publishing.DeferredHandover<Publishing.Value<All>, DispatchQueue> = safe.receive(on: queue)
      let ofValue: Publishing.ValueWithToken<All, TokenHolder> = value.saveToken(on: holder, at: \.token)
      let will: Publishing.WillChange<All> = all.objectWillChange
      let willWithToken: Publishing.WillChangeWithToken<All, TokenHolder> = will.saveToken(on: holder, at: \.token)
      let realm: Publishing.RealmWillChange = people.realm.objectWillChange
      let realmWithToken: Publishing.RealmWillChangeWithToken<TokenHolder> = realm.saveToken(on: holder, for: \.token)
      let object: Publishing.ObjectChangeset<Person> = changesetPublisher(a).subscribe(on: queue)
      let objectWithToken: Publishing.ObjectChangesetWithToken<Person, TokenHolder> =
        object.saveToken(on: holder, at: \.token)
      let objectThere:
        Publishing.DeferredHandoverObjectChangeset<Publishing.ObjectChangeset<Person>, Person, DispatchQueue> =
          object.receive(on: queue)
      let safeObject: Publishing.MakeThreadSafeObjectChangeset<Publishing.ObjectChangeset<Person>, Person> =
        object.threadSafeReference()
      let changes: Publishing.CollectionChangeset<All> = all.changesetPublisher.subscribe(on: queue)
      let changesWithToken: Publishing.CollectionChangesetWithToken<All, TokenHolder> =
        changes.saveToken(on: holder, at: \.token)
      let changesThere:
        Publishing.DeferredHandoverCollectionChangeset<Publishing.CollectionChangeset<All>, All, DispatchQueue> =
          changes.receive(on: queue)
      let safeChanges: Publishing.MakeThreadSafeCollectionChangeset<Publishing.CollectionChangeset<All>, All> =
        changes.threadSafeReference()
      let map: Publishing.MapChangeset<Map<String, Int>> = a.scores.changesetPublisher
      let mapWithToken: Publishing.MapChangesetWithToken<Map<String, Int>, TokenHolder> =
        map.saveToken(on: holder, at: \.token)
      let mapThere:
        Publishing.DeferredHandoverKeyedCollectionChangeset<
          Publishing.MapChangeset<Map<String, Int>>, Map<String, Int>, DispatchQueue
        > = map.receive(on: queue)
      let safeMap:
        Publishing.MakeThreadSafeKeyedCollectionChangeset<
          Publishing.MapChangeset<Map<String, Int>>, Map<String, Int>
        > = map.threadSafeReference()
      let sectioned: Publishing.SectionedResultsChangeset<Sections> = sections.changesetPublisher
      let sectionedWithToken: Publishing.SectionedResultsChangesetWithToken<Sections, TokenHolder> =
        sectioned.saveToken(on: holder, at: \.token)
      let sectionedThere:
        Publishing.DeferredHandoverSectionedResultsChangeset<
          Publishing.SectionedResultsChangeset<Sections>, Sections, DispatchQueue
        > = sectioned.receive(on: queue)
      let safeSections:
        Publishing.MakeThreadSafeSectionedResultsChangeset<
          Publishing.SectionedResultsChangeset<Sections>, Sections
        > = sectioned.threadSafeReference()
      let section: Publishing.SectionChangeset<Section> = sections[0].changesetPublisher
      let open: Publishing.AsyncOpenPublisher = Realm.asyncOpen(configuration: people.configuration)
      let sectionWithToken: Publishing.SectionChangesetWithToken<Section, TokenHolder> =
        section.saveToken(on: holder, at: \.token)
      let sectionThere:
        Publishing.DeferredHandoverSectionChangeset<Publishing.SectionChangeset<Section>, Section, DispatchQueue> =
          section.receive(on: queue)
      let others: [Any] = [
        handedOver, deferred, ofValue, willWithToken, realmWithToken, objectWithToken, objectThere, safeObject,
        changesWithToken, changesThere, safeChanges, mapWithToken, mapThere, safeMap, sectionedWithToken,
        sectionedThere, safeSections, sectionWithToken, sectionThere, open,
      ]
      // Nothing is observed by making publishers.
      #expect(others.count == 20 && people.observerCount == 0)
    }
  }

  @Test func olderNamesMeanTheSame() throws {
    try onOwnThread {
      let people = try People(2)
      let before: any NamedAsBefore = OlderNames()
      #expect(before.isIdentifiable(people[0]))
      let (collection, map) = before.publishers(people.all, people[0].scores)
      let (values, maps) = (collection.recorded(), map.recorded())
      people.realm.refresh()
      #expect(values.values.map(\.count) == [2] && maps.values.map(\.count) == [0])
      #expect(RLMSectionedResultsIterator<Int, Person>.self == SectionedResultsIterator<Int, Person>.self)
      #expect(RLMSectionIterator<Person>.self == SectionIterator<Person>.self)
      #expect(RealmSectionedResultsChange<Int>.self == SectionedResultsChange<Int>.self)
      let change = ProjectedPropertyChange(name: "a", oldValue: 1, newValue: nil)
      #expect(change.name == "a" && change.oldValue as? Int == 1 && change.newValue == nil)
    }
  }
}

/// Called without the warnings that the older names give.
private protocol NamedAsBefore {
  func isIdentifiable(_ person: Person) -> Bool
  func publishers(
    _ all: Results<Person>, _ map: Map<String, Int>
  ) -> (RealmPublishers.Value<Results<Person>>, RealmPublishers.Value<Map<String, Int>>)
}

private struct OlderNames: NamedAsBefore {
  @available(*, deprecated) func isIdentifiable(_ person: Person) -> Bool { person as Any is any ObjectKeyIdentifable }

  @available(*, deprecated) func publishers(
    _ all: Results<Person>, _ map: Map<String, Int>
  ) -> (RealmPublishers.Value<Results<Person>>, RealmPublishers.Value<Map<String, Int>>) {
    (all.publisher, map.publisher)
  }
}
