import Firn
import FirnCombine
import Synchronization
import Testing

@Suite struct PublishersTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  @MainActor @Test func changes() throws {
    let realm = try makeRealm(Flight.self)
    let told = try Printout.of {
      let late = realm.objects(Flight.self).where { $0.delay > 30 }
      let watching = late.changesetPublisher.sink { change in
        switch change {
        case .initial(let flights):
          print("late:", flights.count)
        case .update(let flights, let deletions, let insertions, let modifications):
          print("late:", flights.count, "gone:", deletions, "new:", insertions, "changed:", modifications)
        case .error(let error):
          print(error)
        }
      }
      realm.refresh()
      try realm.write {
        realm.create(Flight.self, value: ["id": "B6 123", "delay": 45])
      }
      realm.refresh()
      watching.cancel()
    }
    #expect(told == "late: 0\nlate: 1 gone: [] new: [0] changed: []\n")
  }

  @Test func otherQueues() throws {
    let realm = try makeRealm(Flight.self)
    let confined = DispatchQueue(label: "source")
    let configuration = realm.configuration
    let elsewhere = Elsewhere()
    func print(_ label: String, _ text: String) { elsewhere.add("\(label) \(text)") }
    try confined.sync {
      let realm = try Realm(configuration: configuration, queue: confined)
      let queue = DispatchQueue(label: "screen")
      let showing = realm.objects(Flight.self).changesetPublisher
        .receive(on: queue)
        .sink { change in
          if case .update(let flights, _, let insertions, _) = change {
            for index in insertions { print("new:", flights[index].id) }
          }
        }
      realm.refresh()
      try realm.write { _ = realm.create(Flight.self, value: ["id": "B6 123"]) }
      realm.refresh()
      queue.sync {}
      showing.cancel()
    }
    #expect(elsewhere.all == ["new: B6 123"])
  }

  @MainActor @Test func demand() throws {
    let realm = try makeRealm(Flight.self)
    var cancellables: Set<AnyCancellable> = []
    let told = try Printout.of {
      let flights = realm.objects(Flight.self).changesetPublisher
      flights.prefix(2).sink(
        receiveCompletion: { _ in print("enough") },
        receiveValue: { change in if case .update(_, _, let insertions, _) = change { print(insertions) } }
      ).store(in: &cancellables)
      realm.refresh()
      for id in ["a", "b"] {
        try realm.write { _ = realm.create(Flight.self, value: ["id": id]) }
        realm.refresh()
      }
    }
    #expect(told == "[0]\nenough\n")
  }

  @Test func oneChangeAfterTheOther() throws {
    let configuration = try makeRealm(Flight.self).configuration
    let (source, queue) = (DispatchQueue(label: "source"), DispatchQueue(label: "screen"))
    let block = DispatchSemaphore(value: 0)
    let shown = Elsewhere()
    @Sendable func show(_ change: RealmCollectionChange<Results<Flight>>) {
      if case .update(let flights, _, _, _) = change { shown.add("\(flights.count)") }
    }
    queue.async { block.wait() }
    var cancellables: Set<AnyCancellable> = []
    try source.sync {
      let realm = try Realm(configuration: configuration, queue: source)
      realm.objects(Flight.self).changesetPublisher.receive(on: queue)
        .flatMap(maxPublishers: .max(1)) { Just($0) }
        .sink { change in show(change) }
        .store(in: &cancellables)
      realm.refresh()
      for id in ["a", "b"] {
        try realm.write { _ = realm.create(Flight.self, value: ["id": id]) }
        realm.refresh()
      }
    }
    block.signal()
    // The first change arrives and asks for the next one, in which both commits are.
    for _ in 0..<2 {
      queue.sync {}
      source.sync {}
    }
    queue.sync {}
    #expect(shown.all == ["2"])
    source.sync { cancellables = [] }
  }

  @MainActor @Test func liveValues() throws {
    let realm = try makeRealm(Flight.self)
    let late = realm.objects(Flight.self).where { $0.delay > 30 }
    var cancellables: Set<AnyCancellable> = []
    let told = try Printout.of {
      late.liveValue { ($0.count, $0.max(of: \.delay)) }.valuePublisher
        .sink { count, worst in print("late:", count, "at most:", worst ?? 0) }
        .store(in: &cancellables)
      realm.refresh()
      try realm.write { _ = realm.create(Flight.self, value: ["id": "B6 123", "delay": 45]) }
      realm.refresh()
    }
    #expect(told == "late: 0 at most: 0\nlate: 1 at most: 45\n")
  }

  class Screen {
    var token: NotificationToken?
  }

  @MainActor @Test func tokens() throws {
    let realm = try makeRealm(Flight.self)
    let late = realm.objects(Flight.self).where { $0.delay > 30 }
    var cancellables: Set<AnyCancellable> = []
    let told = try Printout.of {
      let screen = Screen()
      late.changesetPublisher.saveToken(on: screen, at: \.token)
        .sink { change in print("told") }
        .store(in: &cancellables)
      realm.refresh()
      try realm.write(withoutNotifying: [screen.token!]) {
        realm.create(Flight.self, value: ["id": "LH 400", "delay": 60])
      }
      realm.refresh()
    }
    #expect(told == "told\n")
  }
}

/// What is printed on a queue, which belongs to no task.
private final class Elsewhere: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
