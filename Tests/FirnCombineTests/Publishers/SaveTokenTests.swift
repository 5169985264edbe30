import FirnCombine
import TestSupport
import Testing

@testable import Firn

/// The token of a subscription serves in `write(withoutNotifying:)`.
@Suite struct SaveTokenTests {
  @Test func ofEveryKind() throws {
    try onOwnThread {
      let people = try People(2)
      let a = people[0]
      var told: [String] = []
      var cancellables: Set<AnyCancellable> = []
      var holders: [TokenHolder] = []
      func holder() -> TokenHolder {
        holders.append(TokenHolder())
        return holders[holders.count - 1]
      }
      func follow<P: Publisher>(_ name: String, _ publisher: P) {
        publisher.sink { _ in
        } receiveValue: { _ in
          told.append(name)
        }.store(in: &cancellables)
      }
      follow("list", a.friends.collectionPublisher.saveToken(on: holder(), at: \.token))
      follow("object", valuePublisher(a).saveToken(on: holder(), at: \.token))
      follow("object change", changesetPublisher(a).saveToken(on: holder(), at: \.token))
      follow("list change", a.friends.changesetPublisher.saveToken(on: holder(), at: \.token))
      follow("map change", a.scores.changesetPublisher.saveToken(on: holder(), at: \.token))
      follow("will", a.objectWillChange.saveToken(on: holder(), at: \.token))
      follow("list will", a.friends.objectWillChange.saveToken(on: holder(), at: \.token))
      follow("realm", people.realm.objectWillChange.saveToken(on: holder(), for: \.token))
      people.realm.refresh()
      let tokens = holders.compactMap(\.token)
      #expect(tokens.count == 8)
      told = []
      func change() {
        a.friends.append(people[1])
        a.scores["k"] = a.friends.count
      }
      try people.realm.write(withoutNotifying: tokens) { change() }
      people.realm.refresh()
      #expect(told == [])
      try people.realm.write { change() }
      people.realm.refresh()
      #expect(told.first == "realm" && told.count == 8)
    }
  }

  @Test func withAHandover() throws {
    try onOwnThread {
      let people = try People(1)
      let (holder, queue, log) = (TokenHolder(), DispatchQueue(label: "target"), Log())
      let sink = people.all.changesetPublisher.saveToken(on: holder, at: \.token).receive(on: queue).sink {
        log.add($0.text)
      }
      people.realm.refresh()
      let token = try #require(holder.token)
      try people.realm.write(withoutNotifying: [token]) { people.realm.create(Person.self, value: ["id": 1]) }
      people.realm.refresh()
      try people.write { $0.create(Person.self, value: ["id": 2]) }
      log.wait(for: 2)
      #expect(log.all == ["initial", "-[] +[2] ~[]"])
      sink.cancel()
      queue.sync {}
    }
  }

  /// As the reference says of publishers with tokens.
  @Test func keyPathsAreIgnored() throws {
    try onOwnThread {
      let people = try People(1)
      let holder = TokenHolder()
      let all = people.all.changesetPublisher(keyPaths: ["name"]).saveToken(on: holder, at: \.token).recorded()
      people.realm.refresh()
      try people.write { _ in people[0].age = 1 }
      #expect(all.values.count == 2)
    }
  }
}
