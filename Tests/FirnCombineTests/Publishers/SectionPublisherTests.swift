import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct SectionPublisherTests {
  private func sections(_ people: People) -> SectionedResults<Int, Person> {
    people.all.sectioned(by: \.age, ascending: true)
  }

  @Test func sectionsAndOneOfThemAreSent() throws {
    try onOwnThread {
      let people = try People(3)
      let all = sections(people)
      let one = all[1]
      let values = all.collectionPublisher.recorded()
      let value = one.collectionPublisher.recorded()
      let changes = all.changesetPublisher.recorded()
      let change = one.changesetPublisher.recorded()
      let void = all.objectWillChange.recorded()
      let named = all.changesetPublisher(keyPaths: ["name"]).recorded()
      people.realm.refresh()
      #expect(changes.values.map(\.text) == ["initial"] && change.values.map(\.text) == ["initial"])
      try people.write { $0.create(Person.self, value: ["id": 7, "age": 1]) }
      #expect(changes.values.last?.text == "-[] +[[1, 1]] ~[] sections +[] -[]")
      #expect(change.values.last?.text == "-[] +[[1, 1]] ~[] sections +[] -[]")
      #expect(values.values.count == 2 && value.values.map(\.count) == [2, 2] && void.values.count == 2)
      try people.write { $0.delete(people[0]) }
      #expect(changes.values.last?.text == "-[] +[] ~[] sections +[] -[0]")
      #expect(change.values.count == 2)
      #expect(named.values.count == 3)
    }
  }

  @Test func sectionsWaitForDemand() throws {
    try onOwnThread {
      let people = try People(2)
      let changes = sections(people).changesetPublisher.recorded(.none)
      people.realm.refresh()
      try people.add(2..<3)
      changes.request(.max(1))
      people.realm.refresh()
      #expect(changes.values.map(\.text) == ["initial"])
      try people.add(3..<4)
      try people.write { $0.delete(people[0]) }
      #expect(changes.values.count == 1)
      changes.request(.max(1))
      people.realm.refresh()
      #expect(changes.values.last?.text == "-[] +[[2, 0]] ~[] sections +[2] -[0]")
    }
  }

  @Test func sectionsGoToOtherQueues() throws {
    try onOwnThread {
      let people = try People(2)
      let (queue, log, holder) = (DispatchQueue(label: "target"), Log(), TokenHolder())
      let all = sections(people)
      var cancellables: Set<AnyCancellable> = []
      func follow<P: Publisher>(_ name: String, _ publisher: P)
      where P.Output == SectionedResultsChange<SectionedResults<Int, Person>>, P.Failure == Never {
        publisher.sink { change in
          switch change {
          case .initial(let sections), .update(let sections, _, _, _, _, _):
            log.add("\(name) \(change.text) of \(sections.count)")
          }
        }.store(in: &cancellables)
      }
      follow("received", all.changesetPublisher.receive(on: queue))
      follow("subscribed", all.changesetPublisher.subscribe(on: queue))
      follow("token", all.changesetPublisher.saveToken(on: holder, at: \.token).receive(on: queue))
      follow("referred to", all.changesetPublisher.filter { _ in true }.threadSafeReference().receive(on: queue))
      follow("frozen", all.changesetPublisher.freeze().receive(on: queue))
      all.collectionPublisher.receive(on: queue).assertNoFailure().sink { log.add("value \($0.count)") }
        .store(in: &cancellables)
      all[0].changesetPublisher.receive(on: queue).sink { log.add("section \($0.text)") }.store(in: &cancellables)
      people.realm.refresh()
      log.wait(for: 7)
      // Two commits before any of them arrives: the positions of the first fit what comes with it.
      queue.sync {
        do {
          try people.add(2..<3)
          try people.write { $0.delete(people[1]) }
        } catch {
          Issue.record(error)
        }
      }
      queue.sync {}
      for name in ["received", "token", "referred to", "frozen"] {
        #expect(
          log.all.filter { $0.hasPrefix(name) } == [
            "\(name) initial of 2", "\(name) -[] +[[2, 0]] ~[] sections +[2] -[] of 3",
            "\(name) -[] +[] ~[] sections +[] -[1] of 2",
          ])
      }
      #expect(log.all.filter { $0.hasPrefix("section") } == ["section initial"])
      #expect(holder.token != nil)
      cancellables = []
      queue.sync {}
    }
  }

  /// An element that goes to another section is no reason for a call when what decides is not watched. Of what happened
  /// before the first value, nothing is told with the second one.
  @Test func whatIsNoReasonForACallMayWaitForTheFirstValueToo() throws {
    try onOwnThread {
      let people = try People(4)
      let sections = people.all.sectioned(by: { $0.age % 2 }, sortDescriptors: ["id"])
      let recorder = sections.changesetPublisher(keyPaths: ["name"]).recorded(.none)
      people.realm.refresh()
      try people.write { _ in people[0].age = 5 }
      #expect(recorder.values.isEmpty)
      recorder.request(.unlimited)
      people.realm.refresh()
      #expect(sections.map { $0.map(\.id) } == [[0, 1, 3], [2]])
      try people.write { _ in people[1].name = "x" }
      #expect(recorder.values.map(\.text) == ["initial", "-[] +[] ~[[0, 1]] sections +[] -[]"])
    }
  }

  /// A section that gets an element and loses it again before its observer has a reason to be called has none.
  @Test func whatCameAndWentIsNoReasonForACall() throws {
    try onOwnThread {
      let people = try People(4)
      let sections = people.all.sectioned(by: { $0.age % 2 }, sortDescriptors: ["id"])
      let (left, came) = (
        sections[0].changesetPublisher(keyPaths: ["name"]).recorded(),
        sections[1].changesetPublisher(keyPaths: ["name"]).recorded()
      )
      people.realm.refresh()
      try people.write { _ in people[0].age = 5 }
      #expect(left.values.count == 1 && came.values.count == 1)
      try people.write { _ in
        people[0].age = 0
        people[0].name = "x"
      }
      #expect(left.values.map(\.text) == ["initial", "-[[0, 0]] +[[0, 0]] ~[] sections +[] -[]"])
      #expect(came.values.map(\.text) == ["initial"])
    }
  }

  /// The property that sections are made by counts whether or not it is named.
  @Test func anotherKeyIsToldThoughTheElementKeepsItsPlace() throws {
    try onOwnThread {
      let people = try People(3)
      let sections = people.all.sectioned(by: \.age)
      let recorder = sections.changesetPublisher(keyPaths: ["name"]).recorded()
      people.realm.refresh()
      try people.write { _ in people[2].age = 7 }
      #expect(sections.allKeys == [0, 1, 7])
      #expect(recorder.values.map(\.text) == ["initial", "-[] +[[2, 0]] ~[] sections +[2] -[2]"])
    }
  }
}

extension SectionedResultsChange {
  fileprivate var text: String {
    switch self {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      "-\(deletions.map(Array.init)) +\(insertions.map(Array.init)) ~\(modifications.map(Array.init)) "
        + "sections +\(Array(inserted)) -\(Array(deleted))"
    }
  }
}
