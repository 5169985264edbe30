import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Publishers work together with the operators of Combine, and with subscribers that ask in their own ways.
@Suite struct OperatorTests {
  @Test func sharedAndCombined() throws {
    try onOwnThread {
      let people = try People(1)
      var told: [String] = []
      var cancellables: Set<AnyCancellable> = []
      let shared = people.all.changesetPublisher.map(\.text).share()
      for name in ["a", "b"] { shared.sink { told.append("\(name) \($0)") }.store(in: &cancellables) }
      let subject = PassthroughSubject<String, Never>()
      let multicast = people.all.changesetPublisher.map(\.text).multicast(subject: subject)
      multicast.sink { told.append("m \($0)") }.store(in: &cancellables)
      multicast.connect().store(in: &cancellables)
      people.all.changesetPublisher.collect(2).sink { told.append("collected \($0.map(\.text))") }
        .store(in: &cancellables)
      #expect(people.observerCount == 3)
      people.realm.refresh()
      try people.add(1..<2)
      let new = "-[] +[1] ~[]"
      #expect(
        told.sorted() == [
          "a \(new)", "a initial", "b \(new)", "b initial", "collected [\"initial\", \"\(new)\"]", "m \(new)",
          "m initial",
        ])
      cancellables = []
      #expect(people.observerCount == 0)
    }
  }

  /// The friends of the eldest: the former ones are left when there is another eldest.
  @Test func switchesBetweenCollections() throws {
    try onOwnThread {
      let people = try People(2)
      var told: [Int] = []
      let sink = people.all.sorted(by: \.age, ascending: false).collectionPublisher.assertNoFailure()
        .map { $0[0].friends.changesetPublisher }.switchToLatest().sink { told.append($0.collection?.count ?? -1) }
      people.realm.refresh()
      people.realm.refresh()
      try people.write { _ in people[0].age = 9 }
      try people.write { _ in people[0].friends.append(people[1]) }
      people.realm.refresh()
      #expect(told.last == 1 && people.observerCount == 2)
      sink.cancel()
      #expect(people.observerCount == 0)
    }
  }

  @Test func flatMapAsksForOneAtATime() throws {
    try onOwnThread {
      let people = try People(1)
      let gate = PassthroughSubject<Void, Never>()
      var told: [String] = []
      let sink = people.all.changesetPublisher
        .flatMap(maxPublishers: .max(1)) { change in gate.first().map { change.text } }
        .sink { told.append($0) }
      people.realm.refresh()
      try people.add(1..<2)
      try people.add(2..<3)
      #expect(told == [])
      gate.send()
      people.realm.refresh()
      gate.send()
      #expect(told == ["initial", "-[] +[1, 2] ~[]"])
      sink.cancel()
    }
  }

  @Test func assigns() throws {
    final class Screen { var count = -1 }
    try onOwnThread {
      let (people, screen) = (try People(1), Screen())
      let sink = people.all.liveValue { $0.count }.valuePublisher.assign(to: \.count, on: screen)
      people.realm.refresh()
      try people.add(1..<3)
      #expect(screen.count == 3)
      sink.cancel()
    }
  }

  /// A subscriber that asks, cancels and writes inside of `receive(_:)`.
  @Test func asksAndWritesInsideOfACall() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.changesetPublisher.recorded(.max(1))
      recorder.onValue = { _ in
        recorder.request(.max(1))
        guard recorder.values.count < 5 else { return recorder.cancel() }
        let count = people.all.count
        do {
          try people.realm.write { _ = people.realm.create(Person.self, value: ["id": count]) }
        } catch { Issue.record(error) }
      }
      for _ in 0..<10 { people.realm.refresh() }
      #expect(recorder.values.map(\.text) == ["initial"] + (1...4).map { "-[] +[\($0)] ~[]" })
      #expect(people.observerCount == 0)
    }
  }

  @Test func invalidatedRealmsGoOn() throws {
    try onOwnThread {
      let people = try People(1)
      let recorder = people.all.changesetPublisher.recorded()
      people.realm.refresh()
      people.realm.invalidate()
      try people.write { $0.create(Person.self, value: ["id": 5]) }
      #expect(recorder.values.map(\.text) == ["initial", "-[] +[1] ~[]"])
      recorder.cancel()
    }
  }

  /// Many subscribers of one publisher: they share a view, a commit of other rows visits none of them.
  @Test func manySubscribersShareTheirWork() throws {
    try onOwnThread {
      let people = try People(1)
      let publisher = people.all.where { $0.age > 100 }.changesetPublisher
      let recorders = (0..<10_000).map { _ in publisher.recorded() }
      people.realm.refresh()
      let observers = try #require(people.realm.instance.notifications)
      #expect(people.viewCount == 1 && people.observerCount == 10_000)
      let before = observers.visitCount
      try people.write { _ in people[0].age = 3 }
      #expect(observers.visitCount == before)
      try people.write { _ in people[0].age = 300 }
      #expect(observers.visitCount == before + 10_000)
      #expect(recorders.allSatisfy { $0.values.count == 2 })
      for recorder in recorders { recorder.cancel() }
      #expect(people.observerCount == 0 && people.viewCount == 0)
    }
  }

  /// A demand that comes after the observer is there and before the subscription knows its token.
  @Test func aDemandWhileTheTokenIsSavedIsHeard() throws {
    try onOwnThread {
      let people = try People(1)
      let (holder, recorder) = (Watched(), Recorder<ObjectChange<Person>, Never>(.none))
      holder.onToken = {
        do { try people.write { _ in people[0].age = 7 } } catch { Issue.record(error) }
        recorder.request(.max(1))
      }
      changesetPublisher(people[0]).saveToken(on: holder, at: \.token).receive(subscriber: recorder)
      people.realm.refresh()
      #expect(recorder.values.count == 1)
      recorder.cancel()
    }
  }
}

private final class Watched {
  var onToken: () -> Void = {}
  var token: NotificationToken? { didSet { onToken() } }
}
