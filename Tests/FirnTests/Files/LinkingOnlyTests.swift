import Firn
import Testing

class LinkingOnlyHub: Object {
  @Persisted(originProperty: "hub") var spokes: LinkingObjects<LinkingOnlySpoke>
}

class LinkingOnlySpoke: Object {
  @Persisted var hub: LinkingOnlyHub?
}

/// Tables without a column: classes that have nothing but the other direction of links.
@Suite struct LinkingOnlyTests {
  @Test func aClassWithoutColumnsIsStored() async throws {
    let files = try TemporaryStore([LinkingOnlyHub.self, LinkingOnlySpoke.self])
    let store = try await RealmStore.open(files.configuration)
    try await store.write { realm in
      let hubs = (0..<300).map { _ in realm.create(LinkingOnlyHub.self) }
      for index in 0..<900 { realm.create(LinkingOnlySpoke.self, value: ["hub": hubs[index % 300]]) }
    }
    try await store.checkpoint()
    try await store.write { realm in
      realm.delete(Array(realm.objects(LinkingOnlyHub.self).prefix(100)))
      realm.create(LinkingOnlyHub.self)
    }
    try await store.close()

    let again = try await RealmStore.open(files.configuration)
    let frozen = again.freeze()
    #expect(frozen.objects(LinkingOnlyHub.self).count == 201)
    #expect(frozen.objects(LinkingOnlyHub.self).map(\.spokes.count).sorted() == [0] + Array(repeating: 3, count: 200))
    #expect(frozen.objects(LinkingOnlySpoke.self).filter { $0.hub == nil }.count == 300)
    try await again.checkpoint()
    try await again.close()
    #expect(try await RealmStore.open(files.configuration).freeze().objects(LinkingOnlyHub.self).count == 201)
  }
}
