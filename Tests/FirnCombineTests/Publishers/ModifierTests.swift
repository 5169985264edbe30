import FirnCombine
import TestSupport
import Testing

@testable import Firn

/// What one modifier says, the next one keeps.
@Suite struct ModifierTests {
  private final class Followed {
    let queue = DispatchQueue(label: "elsewhere")
    let log = Log()
    private let place = DispatchSpecificKey<Bool>()
    private var cancellables: Set<AnyCancellable> = []
    private(set) var holders: [TokenHolder] = []

    init() { queue.setSpecific(key: place, value: true) }

    func holder() -> TokenHolder {
      holders.append(TokenHolder())
      return holders[holders.count - 1]
    }

    /// Notes each value, and whether it came on the queue.
    func follow<P: Publisher>(_ name: String, _ publisher: P) {
      publisher.sink { _ in
      } receiveValue: { [log, place] _ in
        log.add(DispatchQueue.getSpecific(key: place) == true ? name : "\(name) on another thread")
      }.store(in: &cancellables)
    }

    /// What came since the last look, when all that is on its way has come.
    func told(after count: Int) -> [String] {
      for _ in 0..<3 { queue.sync {} }
      return log.all.dropFirst(count).sorted()
    }

    func end() {
      cancellables = []
      queue.sync {}
    }
  }

  @Test func keyPathsGoToTheQueue() throws {
    try onOwnThread {
      let people = try People(2)
      let (a, all, followed) = (people[0], people.all, Followed())
      let sections = all.sectioned(by: \.age)
      let queue = followed.queue
      followed.follow("object", changesetPublisher(a, keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("object value", valuePublisher(a, keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("results", all.changesetPublisher(keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("results value", all.collectionPublisher(keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("section", sections[0].changesetPublisher(keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("section value", sections[0].collectionPublisher(keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("sections", sections.changesetPublisher(keyPaths: ["name"]).subscribe(on: queue))
      followed.follow("sections value", sections.collectionPublisher(keyPaths: ["name"]).subscribe(on: queue))
      let first = [
        "results", "results value", "section", "section value", "sections", "sections value",
      ]
      #expect(followed.told(after: 0) == first)
      try people.write { _ in a.tags.insert("x") }
      #expect(followed.told(after: 6) == [])
      try people.write { _ in a.name = "x" }
      #expect(followed.told(after: 6) == ["object", "object value"] + first)
      followed.end()
    }
  }

  /// In either order, with every kind of publisher.
  @Test(arguments: [true, false]) func tokensAreOfTheQueue(queueFirst: Bool) throws {
    try onOwnThread {
      let people = try People(2)
      let (a, all, followed) = (people[0], people.all, Followed())
      let (queue, sections) = (followed.queue, all.sectioned(by: \.age))
      func holder() -> TokenHolder { followed.holder() }
      if queueFirst {
        followed.follow("list", a.friends.changesetPublisher.subscribe(on: queue).saveToken(on: holder(), at: \.token))
        followed.follow("map", a.scores.changesetPublisher.subscribe(on: queue).saveToken(on: holder(), at: \.token))
        followed.follow("object", changesetPublisher(a).subscribe(on: queue).saveToken(on: holder(), at: \.token))
        followed.follow(
          "section", sections[0].changesetPublisher.subscribe(on: queue).saveToken(on: holder(), at: \.token))
        followed.follow(
          "sections", sections.changesetPublisher.subscribe(on: queue).saveToken(on: holder(), at: \.token))
        followed.follow("value", valuePublisher(a).subscribe(on: queue).saveToken(on: holder(), at: \.token))
      } else {
        followed.follow("list", a.friends.changesetPublisher.saveToken(on: holder(), at: \.token).subscribe(on: queue))
        followed.follow("map", a.scores.changesetPublisher.saveToken(on: holder(), at: \.token).subscribe(on: queue))
        followed.follow("object", changesetPublisher(a).saveToken(on: holder(), at: \.token).subscribe(on: queue))
        followed.follow(
          "section", sections[0].changesetPublisher.saveToken(on: holder(), at: \.token).subscribe(on: queue))
        followed.follow(
          "sections", sections.changesetPublisher.saveToken(on: holder(), at: \.token).subscribe(on: queue))
        followed.follow("value", valuePublisher(a).saveToken(on: holder(), at: \.token).subscribe(on: queue))
      }
      #expect(followed.told(after: 0) == ["list", "map", "section", "sections"])
      #expect(followed.holders.compactMap(\.token).count == 6)
      try people.write { _ in
        a.friends.append(people[1])
        a.scores["k"] = 1
      }
      #expect(followed.told(after: 4) == ["list", "map", "object", "section", "sections", "value"])
      followed.end()
    }
  }

  /// The key paths of a publisher are not those of its tokens, whatever it publishes.
  @Test func keyPathsAreIgnoredWithTokens() throws {
    try onOwnThread {
      let people = try People(2)
      let (a, all, followed) = (people[0], people.all, Followed())
      let sections = all.sectioned(by: \.age)
      let object = changesetPublisher(a, keyPaths: ["name"]).saveToken(on: followed.holder(), at: \.token).recorded()
      let value = valuePublisher(a, keyPaths: ["name"]).saveToken(on: followed.holder(), at: \.token).recorded()
      let results = all.collectionPublisher(keyPaths: ["name"]).saveToken(on: followed.holder(), at: \.token).recorded()
      let all2 = sections.changesetPublisher(keyPaths: ["name"]).saveToken(on: followed.holder(), at: \.token)
      let one = sections[0].changesetPublisher(keyPaths: ["name"]).saveToken(on: followed.holder(), at: \.token)
      let (sectioned, section) = (all2.recorded(), one.recorded())
      people.realm.refresh()
      try people.write { _ in a.tags.insert("x") }
      #expect(object.values.count == 1 && value.values.count == 1 && results.values.count == 2)
      #expect(sectioned.values.count == 2 && section.values.count == 2)
    }
  }
}
