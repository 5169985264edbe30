import Foundation
import Synchronization
import Testing

@testable import Firn

/// How accessors are made: copied from an image where a class has nothing but persisted properties, else by its
/// initialiser. Release builds lay out wrappers in their own way and have to run this too.
@Suite(.serialized) struct AccessorMakingTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString,
    objectTypes: [
      MakingPlain.self, MakingDerived.self, MakingOwnFields.self, MakingLeaf.self, MakingHome.self,
      MakingGenericInt.self, MakingGenericText.self, MakingReadsLate.self,
    ])

  private final class Watcher { weak var object: MakingPlain? }

  @Test func theRuntimeIsKnown() { #expect(InstanceLayout.isKnown) }

  @Test(arguments: [
    MakingPlain.self, MakingDerived.self, MakingLeaf.self, MakingHome.self, MakingGenericInt.self,
    MakingGenericText.self, MakingReadsLate.self, MakingNothing.self,
  ])
  func classesOfPersistedPropertiesAloneHaveAnImage(type: ObjectBase.Type) throws {
    let image = try #require(ClassModel.of(type).image, "\(type)")
    #expect(image.words.count == (image.layout.size + 7) / 8)
    #expect(image.words.prefix(2) == [0, 0])
  }

  @Test(arguments: [
    MakingOwnFields.self, MakingLet.self, MakingLazy.self, MakingWeak.self, MakingClosure.self, MakingByte.self,
  ])
  func classesWithFieldsOfTheirOwnHaveNone(type: ObjectBase.Type) {
    #expect(ClassModel.of(type).image == nil, "\(type)")
  }

  @Test func noInitialiserRunsForAccessorsOfPersistedPropertiesAlone() throws {
    try onOwnThread {
      for type in [MakingPlain.self, MakingDerived.self] {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(type.init(), update: .modified) }
        let made = MakingPlain.initialisers.madeSum
        let gone = MakingPlain.initialisers.goneSum
        let tokens = MakingValue.tokens.alive
        for _ in 0..<10 { try check(#require(realm.object(ofType: type, forPrimaryKey: 7))) }
        #expect(MakingPlain.initialisers.madeSum == made)
        #expect(MakingPlain.initialisers.goneSum >= gone + 10, "a deinit runs")
        #expect(MakingValue.tokens.alive == tokens)
      }
    }
  }

  private func check(_ object: MakingPlain) throws {
    #expect(object.id == 7 && object.word == "word" && object.flag && object.small == 3)
    #expect(object.text.hasPrefix("an initial") && object.maybeText == object.text)
    #expect(object.value.number == 1 && object.maybeValue?.number == 2)
    #expect(Array(object.numbers) == [5] && object.names.isEmpty && object.scores.isEmpty && object.leaves.isEmpty)
    #expect(object.leaf?.name == object.text && object.home?.street == object.text)
    #expect(object.anything == .string(object.text))
    if let derived = object as? MakingDerived {
      #expect(derived.last == 1.5 && !derived.bit)
    } else {
      #expect(object.leaf?.owners.first?.isSameObject(as: object) == true)
    }
    let frozen = object.freeze()
    #expect(frozen.text == object.text && frozen.leaf?.name == object.text && Array(frozen.numbers) == [5])
    let watcher = Watcher()
    watcher.object = object
    #expect(watcher.object === object)
    let away = Unchecked(object)
    try onOwnThread { #expect(away.value.text == away.value.maybeText && away.value.numbers.first == 5) }
  }

  @Test func ignoredPropertiesFindTheirInitialValues() throws {
    try onOwnThread {
      for type in [MakingPlain.self, MakingOwnFields.self] {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(type.init(), update: .modified) }
        let object = try #require(realm.object(ofType: type, forPrimaryKey: 7))
        #expect(object.ignored == object.text && object.undeclared == "set by the initialiser")
        object.ignored = "assigned"
        #expect(object.ignored == "assigned")
        let other = try #require(realm.object(ofType: type, forPrimaryKey: 7))
        other.undeclared = "assigned"
        #expect(other.undeclared == "assigned" && other.ignored == object.text)
      }
    }
  }

  @Test func initialValuesOfClassesWithFieldsOfTheirOwnAreGivenUp() throws {
    try onOwnThread {
      let tokens = MakingValue.tokens.alive
      let holders = MakingOwnFields.holders.alive
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(MakingOwnFields()) }
        try realm.write {
          for object in realm.objects(MakingOwnFields.self) { object.leaf?.fields = object }
        }
        let made = MakingPlain.initialisers.madeSum
        for _ in 0..<10 {
          let object = try #require(realm.object(ofType: MakingOwnFields.self, forPrimaryKey: 7))
          #expect(object.closure() == 11 && object.variable.count == 2 && object.own.hasPrefix("an initial"))
          #expect(object.unsafeReference === object.constant && object.observer == nil)
          let once = object.computedOnce
          #expect(object.computedOnce === once)
          #expect(object.value.number == 1 && object.maybeText == object.text && object.numbers.first == 5)
          #expect(object.leaf?.name == object.text && object.home?.street == object.text)
          #expect(object.leavesOfMine.count == 1 && object.leavesOfMine.first?.fields?.id == 7)
        }
        #expect(MakingPlain.initialisers.madeSum >= made + 10)
      }
      #expect(MakingValue.tokens.alive == tokens)
      #expect(MakingOwnFields.holders.alive == holders)
    }
  }

  @Test func propertiesOfGenericSuperclassesAreRead() throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for number in 0..<5 {
          realm.create(MakingGenericInt.self, value: ["held": number, "own": "o\(number)"] as [String: Any])
          realm.create(MakingGenericText.self, value: ["held": "h\(number)"] as [String: Any])
        }
      }
      #expect(realm.objects(MakingGenericInt.self).map(\.held) == [0, 1, 2, 3, 4])
      #expect(realm.objects(MakingGenericInt.self).map(\.own) == ["o0", "o1", "o2", "o3", "o4"])
      let texts = Array(realm.objects(MakingGenericText.self))
      #expect(texts.map(\.held) == ["h0", "h1", "h2", "h3", "h4"] && texts.allSatisfy { $0.own == "own" && !$0.flag })
    }
  }

  /// Away from home an accessor is made before it is known whether there is a row.
  @Test func anAccessorThatFindsNoRowGoesAsAnUnmanagedObject() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let object = try realm.write {
        let object = realm.create(MakingReadsLate.self, value: ["id": 1, "name": "there"] as [String: Any])
        object.leaf = MakingLeaf()
        object.leaves.append(MakingLeaf())
        return object
      }
      let table = try Unchecked(#require(object._table))
      let away = Unchecked(realm)
      MakingReadsLate.names.withLock { $0 = [] }
      try onOwnThread {
        #expect(table.value.accessorAway { _ in nil } == nil)
        #expect(away.value.object(ofType: MakingReadsLate.self, forPrimaryKey: 1)?.id == 1)
      }
      #expect(MakingReadsLate.names.withLock { $0 } == [" 0 0", "there 71 1"])
    }
  }

  @Test func manyThreadsMakeAccessorsOfOneTable() async throws {
    let configuration = configuration
    let keeper = try await RealmStore.open(configuration)
    try await keeper.write { realm in
      for id in 0..<50 { realm.create(MakingPlain.self, value: ["id": id, "word": "w\(id)"] as [String: Any]) }
    }
    let tokens = MakingValue.tokens.alive
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let frozen = keeper.freeze()
          return (0..<500).allSatisfy { round in
            let id = round % 50
            return frozen.object(ofType: MakingPlain.self, forPrimaryKey: id)?.word == "w\(id)"
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(MakingValue.tokens.alive == tokens)
  }
}
