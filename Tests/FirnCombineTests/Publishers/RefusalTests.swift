import FirnCombine
import Foundation
import Testing

@testable import Firn

/// Wrong use ends the process and says why.
@Suite struct RefusalTests {
  @Test func unmanagedObjects() async {
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = valuePublisher(Person())
    }
    #expect(said("Only managed objects can be published", values))
    let changes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = changesetPublisher(Person())
    }
    #expect(said("Only managed objects can be published", changes))
    let void = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().objectWillChange.sink {}
    }
    #expect(said("managed by a Realm", void))
  }

  @Test func unmanagedCollections() async {
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().friends.collectionPublisher
    }
    #expect(said("Only managed objects can be published", values))
    let changes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().friends.changesetPublisher
    }
    #expect(said("Only managed collections can be published", changes))
    let maps = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().scores.changesetPublisher
    }
    #expect(said("Only managed collections can be published", maps))
  }

  @Test func deletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, person) = try managed()
      try realm.write { realm.delete(person) }
      _ = changesetPublisher(person)
    }
    #expect(said("Object is invalidated or deleted", result))
  }

  @Test func frozenSources() async {
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = valuePublisher(try managed().1.freeze()).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(said("Frozen Realms do not change", objects))
    let collections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try managed().1.friends.freeze().changesetPublisher.sink { _ in }
    }
    #expect(said("Frozen Realms do not change", collections))
  }

  @Test func schedulersOfOtherKinds() async {
    let immediate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try managed().1.friends.changesetPublisher.subscribe(on: ImmediateScheduler.shared)
    }
    #expect(said("only serial dispatch queues", immediate))
    let concurrent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try managed().1.friends.collectionPublisher.subscribe(on: DispatchQueue.global())
    }
    #expect(said("only serial dispatch queues", concurrent))
    let handover = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try managed().1.friends.collectionPublisher.receive(on: DispatchQueue(label: "c", attributes: .concurrent))
    }
    #expect(said("serial queues or the main queue", handover))
  }
}

private func managed() throws -> (Realm, Person) {
  let realm = try Realm(configuration: People.configuration())
  return (realm, try realm.write { realm.create(Person.self, value: ["id": 0]) })
}

private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}
