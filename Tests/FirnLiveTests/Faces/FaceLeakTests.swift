import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// What observers leave behind: nothing.
@Suite struct FaceLeakTests {
  @Test(arguments: Face.all) func nothingIsLeftOfAToken(face: Face) throws {
    let configuration = Faced.configuration()
    let heard = Counter()
    let gone = try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { Faced.fill(realm) }
      var tokens = (0..<3).compactMap { _ in face.here(realm) { heard.add() } }
      #expect(tokens.count == 3)
      realm.refresh()
      let observers = realm.instance.observers()
      #expect(observers.folded != nil)
      var random = SeededRandom(7)
      for _ in 0..<30 { try realm.write { Faced.write(realm, &random) } }
      realm.refresh()
      tokens.removeLast()
      tokens[0].invalidate()
      #expect(observers.folded != nil)
      tokens.removeAll()
      #expect(observers.folded == nil)
      #expect(observers.stage.viewCount == 0)
      #expect(observers.stage.isWithoutSubscriptions)
      return Unowned(realm.instance)
    }
    #expect(heard.count > 0)
    #expect(gone.instance == nil)
  }

  @Test(arguments: Face.all) func nothingIsLeftOfATokenElsewhere(face: Face) async throws {
    let store = try await RealmStore.open(Faced.configuration())
    try await store.write { Faced.fill($0) }
    let queue = DispatchQueue(label: "faces")
    var token = try onOwnThread { face.onQueue(try store.realm(), queue) {} }
    #expect(token != nil)
    queue.sync {}
    // The observer keeps the queue's realm, and not the one that it was made in. A thread that ended may still be letting
    // its realm go.
    try await eventually { store.statistics.openRealmCount == 1 }
    var random = SeededRandom(8)
    for _ in 0..<20 {
      let next = random.next()
      try await store.write { realm in
        var random = SeededRandom(next)
        Faced.write(realm, &random)
      }
    }
    token?.invalidate()
    token = nil
    queue.sync {}
    try await eventually { store.statistics.openRealmCount == 0 && store.statistics.versions.count == 1 }
  }
}

/// A realm that is not kept.
private struct Unowned: @unchecked Sendable {
  // instance: read where everybody else has let go.
  weak var instance: RealmInstance?

  init(_ instance: RealmInstance) { self.instance = instance }
}
