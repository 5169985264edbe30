import Firn
import Foundation
import Testing

/// Conditions on collections of values.
@Suite struct QueryOnValuesTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  private func check<C: RealmCollection>(
    _ path: KeyPath<QueryAll, C>, _ query: (Query<C.Element>) -> Query<Bool>, _ plain: (C.Element) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var matchCount = 0
    for object in world.all {
      let collection = object[keyPath: path]
      let expected = Array(collection).filter(plain)
      matchCount += expected.count
      let found = collection.where(query)
      #expect(Array(found) == expected, sourceLocation: sourceLocation)
      #expect(found.count == expected.count, sourceLocation: sourceLocation)
      #expect(found.first == expected.first && found.last == expected.last, sourceLocation: sourceLocation)
      #expect(
        collection.where { !query($0) }.count == collection.count - expected.count, sourceLocation: sourceLocation)
      if let list = collection as? List<C.Element> {
        #expect(list.index(matching: query) == Array(list).firstIndex(where: plain), sourceLocation: sourceLocation)
        let unmanaged = List<C.Element>()
        unmanaged.append(objectsIn: list)
        #expect(
          unmanaged.index(matching: query) == Array(list).firstIndex(where: plain), sourceLocation: sourceLocation)
      }
    }
    #expect(matchCount > 0, sourceLocation: sourceLocation)
  }

  @Test func listsAndSets() {
    check(\.ints, { $0 == 5 }, { $0 == 5 })
    check(\.ints, { $0 != 5 && $0 > 0 }, { $0 != 5 && $0 > 0 })
    check(\.ints, { $0.in([1, 2]) || $0.contains(6...9) }, { [1, 2].contains($0) || $0 > 5 })
    check(\.intOpts, { $0 == nil }, { $0 == nil })
    check(\.intOpts, { $0 < 2 }, { $0.map { $0 < 2 } ?? false })
    check(\.doubles, { $0 >= 0.25 }, { $0 >= 0.25 })
    check(\.decimals, { $0 < 1 }, { $0 < 1 })
    check(\.bools, { $0 == true }, { $0 })
    check(\.strings, { $0.starts(with: "a") }, { $0.utf8.starts(with: "a".utf8) })
    check(\.strings, { $0.like("?b", caseInsensitive: true) }, { $0.lowercased() == "ab" })
    check(\.stringOpts, { $0 == nil || $0.contains("b") }, { $0?.contains("b") ?? true })
    check(\.datas, { $0 == Data("a".utf8) }, { $0 == Data("a".utf8) })
    check(\.dates, { $0 > QueryValues.dates[1] }, { $0 > QueryValues.dates[1] })
    check(\.uuids, { $0.in([QueryValues.uuids[0]]) }, { $0 == QueryValues.uuids[0] })
    check(\.colours, { $0 == .red }, { $0 == .red })
    check(\.colours, { $0.rawValue.ends(with: "n") }, { $0 == .green })
    check(\.levelOpts, { $0 > .low }, { $0.map { $0 > .low } ?? false })
    check(\.codes, { $0 > QueryCode(1) }, { $0.number > 1 })
    check(\.codes, { $0.persistableValue.in([5, 7]) }, { [5, 7].contains($0.number) })
    check(\.anys, { $0 == .int(2) || $0 == .none }, { $0 == .none || $0.numericValue == 2 })
    check(\.intSet, { $0 > 1 }, { $0 > 1 })
    check(\.stringOptSet, { $0.contains("b") }, { $0?.contains("b") ?? false })
    check(\.levelSet, { $0 != .high }, { $0 != .high })
    let constant = QueryCoordinate(2, "x")
    check(\.coordinates, { $0 == constant }, { $0 == constant })
    check(\.coordinates, { $0.persistableValue.latitude > 1 }, { $0.latitude > 1 })
  }

  @Test func maps() {
    for object in world.all {
      #expect(Array(object.intMap.where { $0 > 1 }) == object.intMap.values.filter { $0 > 1 })
      #expect(Array(object.doubleOptMap.where { $0 == nil }) == object.doubleOptMap.values.filter { $0 == nil })
      #expect(Array(object.levelMap.where { $0.rawValue < 6 }) == object.levelMap.values.filter { $0 < .high })
      #expect(
        Array(object.childMap.where { $0.age > 1 }.map { $0?.id })
          == object.childMap.values.filter { ($0?.age ?? 0) > 1 }.map { $0?.id })
    }
  }

  @Test func resultsStayResults() throws {
    let object = try #require(world.all.first)
    let realm = world.realm
    try realm.write {
      object.ints.removeAll()
      object.ints.append(objectsIn: [5, 1, 7, 3, 5, 9])
    }
    let large = object.ints.where { $0 > 2 }
    #expect(Array(large) == [5, 7, 3, 5, 9])
    #expect(Array(large.where { $0 < 8 }) == [5, 7, 3, 5])
    #expect(Array(large.sorted()) == [3, 5, 5, 7, 9])
    #expect(Array(large.sorted().where { $0 != 5 }) == [3, 7, 9])
    #expect(Array(large.distinct().where { $0 > 3 }) == [5, 7, 9])
    #expect(large.index(matching: { $0 == 3 }) == 2 && large.index(matching: { $0 == 1 }) == nil)
    #expect(object.ints.sorted().index(matching: { $0 > 5 }) == 4)
    #expect(large.min() == 3 && large.sum() == 29)
    #expect(Array(large.limit(2)) == [5, 7])
    let frozen = large.freeze()
    try realm.write {
      object.ints.insert(4, at: 0)
      object.ints.removeLast()
      #expect(Array(large) == [4, 5, 7, 3, 5])
    }
    #expect(Array(large) == [4, 5, 7, 3, 5] && Array(frozen) == [5, 7, 3, 5, 9])
    #expect(large.explain().contains("then filter"))
  }

  @Test func observersHearOfValues() throws {
    try onOwnThread {
      let world = try QueryWorld(count: 1)
      let realm = world.realm
      let object = try #require(world.all.first)
      try realm.write {
        object.ints.removeAll()
        object.ints.append(objectsIn: [1, 5, 2])
      }
      let follower = OrderedFollower<Results<Int>>()
      let large = object.ints.where { $0 > 1 }
      let token = large.observe { follower.take($0) }
      realm.refresh()
      for values in [[7, 1, 5, 2], [7, 1, 5], [5, 7], [], [2, 2, 1]] {
        try realm.write {
          object.ints.removeAll()
          object.ints.append(objectsIn: values)
        }
        realm.refresh()
        #expect(follower.values == values.filter { $0 > 1 })
      }
      try realm.write { object.ints[2] = 3 }
      realm.refresh()
      #expect(follower.values == [2, 2, 3])
      withExtendedLifetime(token) {}
    }
  }

  /// Objects in unmanaged mixed values are copied to compare them.
  @Test func unmanagedMixedValues() {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [.none, .string("ab"), .fromArray([.int(1)]), .data(Data("x".utf8)), .int(4)])
    #expect(list.index(matching: { $0 == .data(Data("x".utf8)) }) == 3)
    #expect(list.index(matching: { $0 == .string("x") }) == 3)
    #expect(list.index(matching: { $0 == .fromArray([.int(1)]) }) == 2)
    #expect(list.index(matching: { $0 > .double(3) }) == 4)
    #expect(list.index(matching: { $0 == .int(9) }) == nil)
    #expect(List<Int>().index(matching: { $0 == 1 }) == nil)
  }
}

extension AnyRealmValue {
  fileprivate var numericValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .float(let value): Double(value)
    case .decimal128(let value): Double(value.description)
    default: nil
    }
  }
}
