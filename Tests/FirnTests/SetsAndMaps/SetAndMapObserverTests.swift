import Dispatch
import Firn
import Foundation
import Testing

/// Observers of sets and maps that are called on queues and actors.
@Suite struct SetAndMapObserverTests {
  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [SetModelOwner.self, SetModelItem.self])
  }

  private static func text<Element>(_ change: RealmCollectionChange<MutableSet<Element>>) -> String {
    switch change {
    case .initial(let set): "set of \(set.count)"
    case .update(let set, let deletions, let insertions, _): "set of \(set.count): -\(deletions) +\(insertions)"
    case .error: "error"
    }
  }

  private static func text<Value>(_ change: RealmMapChange<Map<String, Value>>) -> String {
    switch change {
    case .initial(let map): "map of \(map.count)"
    case .update(let map, let deletions, let insertions, _): "map of \(map.count): -\(deletions) +\(insertions)"
    case .error: "error"
    }
  }

  /// A realm of the thread with an owner.
  private static func owner(_ configuration: Realm.Configuration) throws -> (realm: Realm, owner: SetModelOwner) {
    let realm = try Realm(configuration: configuration)
    if let owner = realm.object(ofType: SetModelOwner.self, forPrimaryKey: 1) { return (realm, owner) }
    let owner = SetModelOwner()
    owner.id = 1
    try realm.write { realm.add(owner) }
    return (realm, owner)
  }

  private static func change(_ configuration: Realm.Configuration) throws {
    try onOwnThread {
      let (realm, owner) = try owner(configuration)
      try realm.write {
        owner.ints.insert(5)
        owner.intMap["a"] = 1
        owner.itemMap["k"] = SetModelItem()
      }
    }
  }

  private actor Listener {
    private var tokens: [NotificationToken] = []

    func observe(_ configuration: Realm.Configuration, _ heard: AsyncStream<String>.Continuation) async throws {
      let realm = try await Realm.open(configuration: configuration)
      guard let owner = realm.object(ofType: SetModelOwner.self, forPrimaryKey: 1) else { return }
      tokens.append(await owner.ints.observe(on: self) { _, change in heard.yield("ints, " + text(change)) })
      tokens.append(await owner.intMap.observe(on: self) { _, change in heard.yield("intMap, " + text(change)) })
      tokens.append(
        await owner.itemMap.observe(keyPaths: [\SetModelItem.id], on: self) { _, change in
          heard.yield("itemMap, " + text(change))
        })
    }

    func end() -> Bool { tokens.allSatisfy { $0.invalidate() } }
  }

  private static let initial: Set = ["ints, set of 0", "intMap, map of 0", "itemMap, map of 0"]
  private static let changed: Set = [
    "ints, set of 1: -[] +[0]", "intMap, map of 1: -[] +[\"a\"]", "itemMap, map of 1: -[] +[\"k\"]",
  ]

  private static func next(_ count: Int, of stream: AsyncStream<String>) async -> Set<String> {
    var heard: Set<String> = []
    for await text in stream {
      heard.insert(text)
      if heard.count == count { break }
    }
    return heard
  }

  @Test func onAnActor() async throws {
    let configuration = Self.configuration()
    let store = try await RealmStore.open(configuration)
    try onOwnThread { _ = try Self.owner(configuration) }
    let (stream, heard) = AsyncStream.makeStream(of: String.self)
    let listener = Listener()
    try await listener.observe(configuration, heard)
    #expect(await Self.next(3, of: stream) == Self.initial)
    try Self.change(configuration)
    #expect(await Self.next(3, of: stream) == Self.changed)
    #expect(await listener.end())
    withExtendedLifetime(store) {}
  }

  @Test func onAQueue() async throws {
    let configuration = Self.configuration()
    let store = try await RealmStore.open(configuration)
    let (stream, heard) = AsyncStream.makeStream(of: String.self)
    let queue = DispatchQueue(label: "observer of sets and maps")
    let tokens = try onOwnThread {
      let (_, owner) = try Self.owner(configuration)
      return [
        owner.ints.observe(on: queue) { heard.yield("ints, " + Self.text($0)) },
        owner.intMap.observe(on: queue) { heard.yield("intMap, " + Self.text($0)) },
        owner.itemMap.observe(on: queue) { heard.yield("itemMap, " + Self.text($0)) },
      ]
    }
    #expect(await Self.next(3, of: stream) == Self.initial)
    try Self.change(configuration)
    #expect(await Self.next(3, of: stream) == Self.changed)
    for token in tokens { #expect(token.invalidate()) }
    withExtendedLifetime(store) {}
  }
}
