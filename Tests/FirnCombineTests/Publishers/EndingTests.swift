import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// What is observed ends in unusual ways, and subscribers do what they should not: nothing traps, hangs or stays.
@Suite struct EndingTests {
  /// The store is closed under subscribers of all kinds; what is on its way is left out.
  @Test func theStoreIsClosed() async throws {
    let configuration = People.configuration()
    let queue = DispatchQueue(label: "target")
    let source = DispatchQueue(label: "source")
    let kept = Unchecked(Kept())
    let configurations = Unchecked(configuration)
    try source.sync {
      let realm = try Realm(configuration: configurations.value, queue: source)
      try realm.write { for id in 0..<3 { realm.create(Person.self, value: ["id": id, "age": id]) } }
      let all = realm.objects(Person.self)
      kept.value.cancellables = [
        all.changesetPublisher.sink { _ in },
        all.changesetPublisher.receive(on: queue).sink { _ in },
        all.collectionPublisher.receive(on: queue).sink(receiveCompletion: { _ in }, receiveValue: { _ in }),
        all.changesetPublisher.subscribe(on: queue).sink { _ in },
        all.sectioned(by: \.age, ascending: true).changesetPublisher.receive(on: queue).sink { _ in },
        all.grouped(by: \.age).changesetPublisher.receive(on: queue).sink { _ in },
        all.liveValue { $0.count }.valuePublisher.subscribe(on: queue).sink { _ in },
        changesetPublisher(all[0]).receive(on: queue).sink { _ in },
        realm.objectWillChange.sink {},
      ]
      kept.value.recorder = all.changesetPublisher.recorded(.none)
    }
    let store = try await RealmStore.open(configuration)
    let inner = store.store
    try await store.close()
    // A demand after the end, and subscribing after it.
    kept.value.recorder?.request(.max(1))
    for _ in 0..<3 { for queue in [source, queue] { await settled(queue) } }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      source.async {
        kept.value.cancellables = []
        kept.value.recorder?.cancel()
        kept.value.recorder = nil
        done.resume()
      }
    }
    for _ in 0..<3 { for queue in [source, queue] { await settled(queue) } }
    #expect(inner.openRealms.isEmpty)
  }

  private func settled(_ queue: DispatchQueue) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in queue.async { done.resume() } }
  }

  @Test func theObjectIsDeletedBeforeTheFirstDemand() throws {
    try onOwnThread {
      let people = try People(2)
      let object = changesetPublisher(people[0]).recorded(.none)
      let value = valuePublisher(people[0]).recorded(.none)
      let void = people[0].objectWillChange.recorded(.none)
      let list = people[0].friends.changesetPublisher.recorded(.none)
      try people.write { $0.delete(people[0]) }
      people.realm.refresh()
      for ask in [object.request, value.request, void.request, list.request] { ask(.unlimited) }
      people.realm.refresh()
      #expect(object.completions == [.finished] && void.completions == [.finished] && value.completions.count == 1)
      #expect(object.values.isEmpty && value.values.isEmpty)
      #expect(list.values.count <= 1 && list.completions.isEmpty)
      list.cancel()
      #expect(people.observerCount == 0 && people.viewCount == 0 && people.heldVersionCount == 1)
    }
  }

  /// Operators with times, and schedulers that are no queues, let go of everything when they are cancelled.
  @Test func operatorsOfTime() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = DispatchQueue(label: "target")
      let all = people.all.changesetPublisher
      var cancellables: [AnyCancellable] = [
        all.freeze().throttle(for: .milliseconds(1), scheduler: queue.ocombine, latest: true).sink { _ in },
        all.freeze().debounce(for: .milliseconds(1), scheduler: queue.ocombine).sink { _ in },
        all.freeze().delay(for: .milliseconds(1), scheduler: queue.ocombine).sink { _ in },
        all.receive(on: ImmediateScheduler.shared).sink { _ in },
        all.subscribe(on: queue).receive(on: queue).sink { _ in },
        all.receive(on: queue).subscribe(on: ImmediateScheduler.shared).sink { _ in },
        all.freeze().buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest).sink { _ in },
      ]
      people.realm.refresh()
      for id in 1..<20 {
        try people.add(id..<(id + 1))
        if id % 5 == 0 { queue.sync {} }
      }
      for cancellable in cancellables { cancellable.cancel() }
      cancellables = []
      for _ in 0..<3 { queue.sync {} }
      #expect(people.observerCount == 0 && people.viewCount == 0 && people.store.openRealms.count == 1)
    }
  }

  /// The inner publisher is left by a value that it sent itself.
  @Test func switchingAndCancellingInsideOfACall() throws {
    try onOwnThread {
      let people = try People(3)
      let outer = PassthroughSubject<Int, Never>()
      var (told, sink): ([String], AnyCancellable?) = ([], nil)
      sink = outer.map { [people] id in people.all.where { $0.id >= id }.changesetPublisher.map { "\(id) \($0.text)" } }
        .switchToLatest()
        .sink { text in
          told.append(text)
          if text == "0 initial" { outer.send(1) }
          if text.hasPrefix("1 -") { sink?.cancel() }
        }
      outer.send(0)
      people.realm.refresh()
      people.realm.refresh()
      try people.add(3..<4)
      try people.add(4..<5)
      #expect(told == ["0 initial", "1 initial", "1 -[] +[2] ~[]"])
      #expect(people.observerCount == 0 && people.viewCount == 0)
      withExtendedLifetime(sink) {}
    }
  }

  /// A subscriber that nobody but its subscription keeps goes on until it is cancelled; a sink ends with its token.
  @Test func aBareSubscriberGoesOnUntilItIsCancelled() throws {
    try onOwnThread {
      let people = try People(1)
      weak var bare: Recorder<RealmCollectionChange<Results<Person>>, Never>?
      do {
        let recorder = people.all.changesetPublisher.recorded()
        bare = recorder
      }
      people.realm.refresh()
      try people.add(1..<2)
      #expect(bare?.values.count == 2 && people.observerCount == 1)
      bare?.cancel()
      #expect(people.observerCount == 0 && bare == nil)
    }
  }
}

private final class Kept {
  var cancellables: [AnyCancellable] = []
  var recorder: Recorder<RealmCollectionChange<Results<Person>>, Never>?
}
