import Foundation
import Synchronization
import Testing

@testable import Firn
@testable import FirnEngine

private class Reused: Object {
  static let counts = LiveCount()

  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var next: Reused?
  @Persisted var others: List<Reused>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Its `deinit` reads properties, and tells how often accessors go.
private final class ReusedWithDeinit: Object {
  static let gone = Mutex<[Int]>([])

  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: ReusedWithDeinit?
  @Persisted var others: List<ReusedWithDeinit>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  deinit { Self.gone.withLock { $0.append(id) } }
}

private final class OptedOut: Object {
  static let gone = Mutex<[Int]>([])

  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: OptedOut?
  @Persisted var others: List<OptedOut>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class var reusesAccessors: Bool { false }
  deinit { Self.gone.withLock { $0.append(id) } }
}

private final class OwnField: Object {
  @Persisted(primaryKey: true) var id: Int
  var selected = false
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Writes when it goes, if it is asked to.
private final class WritesLate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var others: List<WritesLate>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  deinit {
    guard let realm = WritesLateRealm.current else { return }
    WritesLateRealm.current = nil
    realm.object(ofType: WritesLate.self, forPrimaryKey: 256)?.number = 5
  }
}

private enum WritesLateRealm {
  /// Only touched by the thread of the test.
  nonisolated(unsafe) static var current: Realm?
}

/// Reuse in every kind of build: with references of each kind, with a `deinit`, and for classes that opt out.
@Suite(.serialized) struct ReusedAccessorTests {
  private final class WeakHolder { weak var object: Reused? }
  private final class UnownedHolder {
    unowned let object: Reused
    init(_ object: Reused) { self.object = object }
  }

  private func realm(_ count: Int) throws -> Realm {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Reused.self, ReusedWithDeinit.self, OptedOut.self, OwnField.self, WritesLate.self])
    let realm = try Realm(configuration: configuration)
    if count == 0 { return realm }
    try realm.write {
      for id in 0..<count {
        realm.create(Reused.self, value: ["id": id, "text": "text \(id)"] as [String: Any])
        realm.create(ReusedWithDeinit.self, value: ["id": id])
        realm.create(OptedOut.self, value: ["id": id])
      }
      for object in realm.objects(Reused.self) {
        object.next = realm.object(ofType: Reused.self, forPrimaryKey: (object.id + 1) % count)
      }
      for object in realm.objects(ReusedWithDeinit.self) {
        object.next = realm.object(ofType: ReusedWithDeinit.self, forPrimaryKey: (object.id + 1) % count)
      }
      for object in realm.objects(OptedOut.self) {
        object.next = realm.object(ofType: OptedOut.self, forPrimaryKey: (object.id + 1) % count)
      }
      let first = realm.objects(Reused.self)[0]
      first.others.append(objectsIn: realm.objects(Reused.self))
      realm.objects(ReusedWithDeinit.self)[0].others.append(objectsIn: realm.objects(ReusedWithDeinit.self))
      realm.objects(OptedOut.self)[0].others.append(objectsIn: realm.objects(OptedOut.self))
    }
    return realm
  }

  /// Calls `body` with each object as an iteration over results and one over a list hands it out, and as a link does.
  private func visit(_ realm: Realm, _ body: (Reused) -> Void) {
    for object in realm.objects(Reused.self) { body(object) }
    for object in realm.objects(Reused.self)[0].others { body(object) }
    for object in realm.objects(Reused.self) { if let next = object.next { body(next) } }
  }

  @Test func classesOfPersistedPropertiesAreReusedUnlessTheyOptOut() {
    #expect(ClassModel.of(Reused.self).reusesAccessors)
    #expect(ClassModel.of(ReusedWithDeinit.self).reusesAccessors)
    #expect(ClassModel.of(MakingHome.self).reusesAccessors)
    #expect(!ClassModel.of(OptedOut.self).reusesAccessors)
    #expect(!ClassModel.of(OwnField.self).reusesAccessors)
    #expect(!ClassModel.of(MakingLazy.self).reusesAccessors)
  }

  @Test func forgottenAccessorsAreReused() throws {
    try onOwnThread {
      let realm = try realm(50)
      var ids: Set<ObjectIdentifier> = []
      var count = 0
      for object in realm.objects(Reused.self) {
        ids.insert(ObjectIdentifier(object))
        count += 1
      }
      #expect(ids.count == 1 && count == 50)
      ids = []
      for object in realm.objects(Reused.self)[0].others { ids.insert(ObjectIdentifier(object)) }
      #expect(ids.count == 1)
      ids = []
      for object in realm.objects(Reused.self) { if let next = object.next { ids.insert(ObjectIdentifier(next)) } }
      #expect(ids.count == 1)
    }
  }

  @Test func escapedObjectsStayAtTheirRows() throws {
    try onOwnThread {
      let realm = try realm(50)
      var kept: [(Reused, Int)] = []
      var closures: [() -> Int] = []
      var expected: [Int] = []
      visit(realm) { object in
        if object.id % 3 == 0 { kept.append((object, object.id)) }
        if object.id % 3 == 1 {
          closures.append { object.id }
          expected.append(object.id)
        }
      }
      #expect(kept.allSatisfy { $0.0.id == $0.1 && $0.0.text == "text \($0.1)" } && kept.count > 40)
      #expect(closures.map { $0() } == expected && closures.count > 40)
    }
  }

  @Test func weakReferencesSeeTheirRowOrNothing() throws {
    try onOwnThread {
      let realm = try realm(50)
      var holders: [(WeakHolder, Int)] = []
      visit(realm) { object in
        let holder = WeakHolder()
        holder.object = object
        holders.append((holder, object.id))
        for (holder, id) in holders.suffix(5) { if let object = holder.object { #expect(object.id == id) } }
      }
      #expect(holders.allSatisfy { $0.0.object.map(\.id) == $0.1 || $0.0.object == nil })
    }
  }

  @Test func unownedReferencesSeeTheirRow() throws {
    try onOwnThread {
      let realm = try realm(50)
      var count = 0
      var last: (UnownedHolder, Int)?
      for object in realm.objects(Reused.self) {
        // The iterator holds the accessor that it handed out before; that must not stand for the next row.
        last = (UnownedHolder(object), object.id)
        #expect(last?.0.object.id == last?.1)
        count += 1
      }
      #expect(count == 50)
      var targets: [(UnownedHolder, Int)] = []
      let first = realm.objects(Reused.self)[0]
      for id in [1, 2, 3] {
        try realm.write { first.next = realm.object(ofType: Reused.self, forPrimaryKey: id) }
        let next = try #require(first.next)
        #expect(next.id == id)
        targets = [(UnownedHolder(next), id)]
        #expect(targets[0].0.object.id == id)
      }
    }
  }

  /// A collection is kept by its accessor, and goes with it to the next row unless somebody refers to it.
  @Test func weakReferencesToCollectionsSeeTheirRowOrNothing() throws {
    final class WeakHolder { weak var list: List<Reused>? }
    try onOwnThread {
      let realm = try realm(50)
      try realm.write {
        for object in realm.objects(Reused.self) { object.others.removeAll() }
        for object in realm.objects(Reused.self) { object.others.append(object) }
      }
      let holder = WeakHolder()
      for object in realm.objects(Reused.self) {
        let id = object.id
        if id % 2 == 0 {
          holder.list = object.others
          #expect(holder.list?.first?.id == id)
        } else {
          let before = id - 1
          #expect(object.others.first?.id == id)
          #expect(holder.list == nil || holder.list?.first?.id == before)
        }
      }
    }
  }

  @Test func aDeinitRunsOnceForAReusedAccessor() throws {
    try onOwnThread {
      let realm = try realm(50)
      ReusedWithDeinit.gone.withLock { $0 = [] }
      var sum = 0
      for object in realm.objects(ReusedWithDeinit.self) { sum += object.id }
      #expect(sum == 49 * 25)
      // The properties are those of the row that the accessor stood for last.
      #expect(ReusedWithDeinit.gone.withLock { $0 } == [49])
      ReusedWithDeinit.gone.withLock { $0 = [] }
      for object in realm.objects(ReusedWithDeinit.self)[0].others { sum -= object.id }
      #expect(sum == 0)
      #expect(ReusedWithDeinit.gone.withLock { $0.sorted() } == [0, 49])
      ReusedWithDeinit.gone.withLock { $0 = [] }
      for object in realm.objects(ReusedWithDeinit.self) { sum += object.next?.id ?? 0 }
      #expect(sum == 49 * 25)
      #expect(ReusedWithDeinit.gone.withLock { $0.sorted() } == [0, 49])
    }
  }

  @Test func aDeinitOfAnEscapedAccessorRunsWhenItGoes() throws {
    try onOwnThread {
      let realm = try realm(10)
      ReusedWithDeinit.gone.withLock { $0 = [] }
      var kept: [ReusedWithDeinit] = []
      for object in realm.objects(ReusedWithDeinit.self) where object.id % 5 == 0 { kept.append(object) }
      #expect(ReusedWithDeinit.gone.withLock { $0 } == [9])
      #expect(kept.map(\.id) == [0, 5])
      kept = []
      #expect(ReusedWithDeinit.gone.withLock { $0.sorted() } == [0, 5, 9])
    }
  }

  @Test func aClassThatOptsOutSeesEachAccessorGo() throws {
    try onOwnThread {
      let realm = try realm(50)
      OptedOut.gone.withLock { $0 = [] }
      for object in realm.objects(OptedOut.self) { #expect(object.id >= 0) }
      #expect(OptedOut.gone.withLock { $0.sorted() } == Array(0..<50))
      OptedOut.gone.withLock { $0 = [] }
      let list = realm.objects(OptedOut.self)[0].others
      for object in list { #expect(object.id >= 0) }
      #expect(OptedOut.gone.withLock { $0.sorted() } == [0] + Array(0..<50))
      OptedOut.gone.withLock { $0 = [] }
      for object in realm.objects(OptedOut.self) { #expect(object.next != nil) }
      #expect(OptedOut.gone.withLock { $0.sorted() } == Array(0..<50).flatMap { [$0, $0] })
    }
  }

  /// The accessor that an iteration lets go is of a deleted row; its `deinit` moves the cluster of the next.
  @Test func aDeinitMayWrite() throws {
    try onOwnThread {
      let realm = try realm(0)
      try realm.write {
        let owner = realm.create(WritesLate.self, value: ["id": 0])
        for id in 0..<300 {
          owner.others.append(realm.create(WritesLate.self, value: ["id": id], update: .modified))
        }
      }
      try realm.write {
        let owner = try #require(realm.object(ofType: WritesLate.self, forPrimaryKey: 0))
        var ids: [Int] = []
        for object in owner.others {
          ids.append(object.id)
          #expect(object.number == (object.id == 256 ? 5 : 0))
          if object.id == 255 {
            realm.delete(object)
            WritesLateRealm.current = realm
          }
        }
        #expect(ids == Array(0..<300) && WritesLateRealm.current == nil)
      }
      #expect(realm.objects(WritesLate.self).count == 299)
    }
  }
}

/// Accessors that go from thread to thread while their iterator would reuse them.
@Suite struct ConcurrencyReusedAccessorTests {
  @Test func objectsHeldElsewhereStayAtTheirRows() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Reused.self])
    let handed = Guarded<[(Unchecked<Reused>, Int)]>([])
    let isDone = Atomic<Bool>(false)
    let failures = Atomic<Int>(0)
    let seen = Atomic<Int>(0)
    JoinedThread.runAll([
      {
        let realm = try! Realm(configuration: configuration)
        try! realm.write {
          for id in 0..<200 {
            realm.create(Reused.self, value: ["id": id, "text": "text \(id)"] as [String: Any])
          }
        }
        for round in 0..<20 {
          for object in realm.objects(Reused.self) {
            if (object.id + round) % 3 == 0 { handed.withLock { $0.append((Unchecked(object), object.id)) } }
          }
        }
        isDone.store(true, ordering: .releasing)
        // Until all are gone: the realm must not go before its objects are read.
        while handed.withLock({ !$0.isEmpty }) {}
      },
      {
        while true {
          let isLast = isDone.load(ordering: .acquiring)
          // The reference goes under the lock, before the next iteration asks for it.
          let isEmpty = handed.withLock { handed in
            guard let (object, id) = handed.popLast() else { return true }
            if object.value.id != id || object.value.text != "text \(id)" { failures.add(1, ordering: .relaxed) }
            seen.add(1, ordering: .relaxed)
            return false
          }
          if isEmpty, isLast { return }
        }
      },
    ])
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(seen.load(ordering: .relaxed) > 1_300)
  }
}
