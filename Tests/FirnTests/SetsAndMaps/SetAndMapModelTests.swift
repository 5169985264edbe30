import Firn
import Foundation
import Testing

/// Random operations on sets and maps of a store and on Swift's `Set` and `Dictionary`, through transactions kept and
/// cancelled, freezes, and reopening from the file.
@Suite struct SetAndMapModelTests {
  static let seeds: [UInt64] = [1, 2, 3]

  /// What the owner's collections hold. Objects by their ids.
  private struct Model: Equatable {
    var ints: Set<Int> = []
    var optionalInts: Set<Int?> = []
    var doubles: Set<Double> = []
    var strings: Set<String> = []
    var data: Set<Data?> = []
    var items: Set<Int> = []
    var intMap: [String: Int] = [:]
    var stringMap: [String: String?] = [:]
    var itemMap: [String: Int?] = [:]

    init() {}

    init(_ owner: SetModelOwner) {
      ints = Set(owner.ints)
      optionalInts = Set(owner.optionalInts)
      doubles = Set(owner.doubles)
      strings = Set(owner.strings)
      data = Set(owner.data)
      items = Set(owner.items.map(\.id))
      for entry in owner.intMap { intMap[entry.key] = entry.value }
      for entry in owner.stringMap { stringMap[entry.key] = .some(entry.value) }
      for (key, value) in owner.itemMap.asKeyValueSequence() { itemMap[key] = .some(value?.id) }
    }
  }

  /// One run; what it holds is changed by `step`.
  private struct Run {
    var random: SeededRandom
    var model = Model()
    /// The ids of the objects that exist.
    var ids: Set<Int> = []
    var nextID = 0

    mutating func text() -> String {
      String(repeating: "é\u{0}x", count: random.below(7)) + "\(random.below(60))"
    }

    mutating func item(_ realm: Realm) -> SetModelItem {
      if let id = ids.sorted().randomElement(using: &random), random.chance(60),
        let item = realm.object(ofType: SetModelItem.self, forPrimaryKey: id)
      {
        return item
      }
      let item = SetModelItem()
      item.id = nextID
      ids.insert(nextID)
      nextID += 1
      return item
    }

    mutating func step(_ owner: SetModelOwner, _ realm: Realm) {
      switch random.below(9) {
      case 0: change(owner.ints, \.ints) { $0.below(3000) }
      case 1: change(owner.optionalInts, \.optionalInts) { $0.chance(10) ? nil : $0.below(40) - 20 }
      case 2: change(owner.doubles, \.doubles) { Double($0.below(100) - 50) / 8 }
      case 3: changeStrings(owner.strings)
      case 4:
        change(owner.data, \.data) { $0.chance(10) ? nil : Data(repeating: UInt8($0.below(9)), count: $0.below(30)) }
      case 5: changeItems(owner, realm)
      case 6: change(owner.intMap, \.intMap) { $0.below(1000) }
      case 7: change(owner.stringMap, \.stringMap) { $0.chance(20) ? nil : "value \($0.below(1 << 40))" }
      default: changeItemMap(owner, realm)
      }
    }

    private mutating func change<Element: RealmCollectionValue>(
      _ set: MutableSet<Element>, _ path: WritableKeyPath<Model, Set<Element>>,
      _ make: (inout SeededRandom) -> Element
    ) {
      func other(_ count: Int) -> [Element] { (0..<count).map { _ in make(&random) } }
      switch random.below(12) {
      case 0...3:
        let element = make(&random)
        set.insert(element)
        model[keyPath: path].insert(element)
      case 4, 5:
        let elements = other(random.below(200))
        set.insert(objectsIn: elements)
        model[keyPath: path].formUnion(elements)
      case 6, 7:
        let element = model[keyPath: path].isEmpty || random.chance(30) ? make(&random) : set[random.below(set.count)]
        set.remove(element)
        model[keyPath: path].remove(element)
      case 8:
        for element in other(30) {
          set.remove(element)
          model[keyPath: path].remove(element)
        }
      case 9 where random.chance(30):
        set.removeAll()
        model[keyPath: path].removeAll()
      default:
        let element = make(&random)
        #expect(set.contains(element) == model[keyPath: path].contains(element))
      }
      #expect(set.count == model[keyPath: path].count)
    }

    private mutating func changeStrings(_ set: MutableSet<String>) {
      for _ in 0..<random.below(20) {
        let text = text()
        if random.chance(60) {
          set.insert(text)
          model.strings.insert(text)
        } else {
          set.remove(text)
          model.strings.remove(text)
        }
      }
      #expect(Array(set) == model.strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    private mutating func changeItems(_ owner: SetModelOwner, _ realm: Realm) {
      switch random.below(5) {
      case 0, 1:
        let items = (0..<random.below(20)).map { _ in item(realm) }
        owner.items.insert(objectsIn: items)
        model.items.formUnion(items.map(\.id))
      case 2 where !owner.items.isEmpty:
        let item = owner.items[random.below(owner.items.count)]
        model.items.remove(item.id)
        owner.items.remove(item)
      case 3: delete(realm)
      default:
        let item = item(realm)
        #expect(owner.items.contains(item) == (item.realm != nil && model.items.contains(item.id)))
        if item.realm == nil { ids.remove(item.id) }
      }
    }

    /// Deletes some objects, wherever they are.
    private mutating func delete(_ realm: Realm) {
      for _ in 0..<random.below(4) {
        guard let id = ids.sorted().randomElement(using: &random),
          let item = realm.object(ofType: SetModelItem.self, forPrimaryKey: id)
        else { continue }
        realm.delete(item)
        ids.remove(id)
        model.items.remove(id)
        for (key, value) in model.itemMap where value == id { model.itemMap[key] = .some(nil) }
      }
    }

    private mutating func change<Value: RealmCollectionValue>(
      _ map: Map<String, Value>, _ path: WritableKeyPath<Model, [String: Value]>, _ make: (inout SeededRandom) -> Value
    ) {
      for _ in 0..<random.below(40) {
        let key = text()
        switch random.below(10) {
        case 0...5:
          let value = make(&random)
          map[key] = value
          model[keyPath: path].updateValue(value, forKey: key)
        case 6, 7:
          map.removeObject(for: key)
          model[keyPath: path].removeValue(forKey: key)
        case 8 where random.chance(3):
          map.removeAll()
          model[keyPath: path].removeAll()
        default: #expect(map[key] == model[keyPath: path][key])
        }
      }
      #expect(map.keys == model[keyPath: path].keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      #expect(map.values == map.keys.map { model[keyPath: path][$0] })
    }

    private mutating func changeItemMap(_ owner: SetModelOwner, _ realm: Realm) {
      switch random.below(6) {
      case 0...2:
        for _ in 0..<random.below(10) {
          let (key, item) = (text(), item(realm))
          owner.itemMap[key] = item
          model.itemMap.updateValue(item.id, forKey: key)
        }
      case 3:
        let key = text()
        owner.itemMap[key] = .some(nil)
        model.itemMap.updateValue(nil, forKey: key)
      case 4:
        for key in owner.itemMap.keys where random.chance(20) {
          owner.itemMap[key] = nil
          model.itemMap.removeValue(forKey: key)
        }
      default: delete(realm)
      }
    }
  }

  @Test(arguments: seeds) func managedBesideSwift(seed: UInt64) throws {
    print("SetAndMapModelTests: seed \(seed)")
    let store = try TemporaryStore([SetModelOwner.self, SetModelItem.self])
    var run = Run(random: SeededRandom(seed))
    var frozen: [(owner: SetModelOwner, model: Model)] = []
    for opening in 0..<3 {
      try autoreleasing {
        let realm = try Realm(configuration: store.configuration)
        let owner: SetModelOwner
        if let found = realm.object(ofType: SetModelOwner.self, forPrimaryKey: 1) {
          owner = found
        } else {
          owner = SetModelOwner()
          owner.id = 1
          try realm.write { realm.add(owner) }
        }
        #expect(Model(owner) == run.model, "seed \(seed), opening \(opening)")
        for round in 0..<8 {
          let before = (run.model, run.ids)
          realm.beginWrite()
          for _ in 0..<15 { run.step(owner, realm) }
          #expect(Model(owner) == run.model, "seed \(seed), opening \(opening), round \(round), inside")
          if round % 4 == 3 {
            realm.cancelWrite()
            (run.model, run.ids) = before
          } else {
            try realm.commitWrite()
          }
          #expect(Model(owner) == run.model, "seed \(seed), opening \(opening), round \(round)")
          if round % 5 == 0 { frozen.append((owner.freeze(), run.model)) }
        }
        for (owner, model) in frozen { #expect(Model(owner) == model, "seed \(seed), opening \(opening), frozen") }
        frozen = []
      }
    }
  }

  /// A function of its own, so that nothing of a realm outlives it.
  @inline(never)
  private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
}
