import Foundation
import Testing

@testable import Firn

/// Random operations on a list and on an array.
@Suite struct ListModelTests {
  static let seeds: [UInt64] = [1, 2, 3, 4]
  /// Longer lists lose more than they get: these have a few leaves, and every step looks at all elements.
  private static let lengthMax = 150

  private func run<Element: RealmCollectionValue & Equatable>(
    _ list: List<Element>, steps: Int, _ random: inout ListTestRandom, _ label: String,
    _ make: (inout ListTestRandom) -> Element
  ) {
    var model = Array(list)
    for step in 0..<steps {
      change(list, &model, &random, make)
      let found = Array(list)
      #expect(found == model, "\(label), step \(step)")
      if found != model { return }
      check(list, model, label, step)
    }
  }

  private func change<Element: RealmCollectionValue & Equatable>(
    _ list: List<Element>, _ model: inout [Element], _ random: inout ListTestRandom,
    _ make: (inout ListTestRandom) -> Element
  ) {
    let count = model.count
    func some(_ most: Int) -> [Element] { (0..<Int.random(in: 0...most, using: &random)).map { _ in make(&random) } }
    let position = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<(count > Self.lengthMax ? 24 : 18), using: &random) {
    case 0:
      let element = make(&random)
      list.append(element)
      model.append(element)
    case 1, 2:
      let elements = some(150)
      list.append(objectsIn: elements)
      model += elements
    case 3:
      let element = make(&random)
      list.insert(element, at: position)
      model.insert(element, at: position)
    case 4, 5:
      let elements = some(60)
      list.insert(contentsOf: elements, at: position)
      model.insert(contentsOf: elements, at: position)
    case 6 where count > 0:
      let index = Int.random(in: 0..<count, using: &random)
      list.remove(at: index)
      model.remove(at: index)
    case 7:
      let number = Int.random(in: 0...min(5, count), using: &random)
      list.removeFirst(number)
      model.removeFirst(number)
    case 8:
      let number = Int.random(in: 0...min(5, count), using: &random)
      list.removeLast(number)
      model.removeLast(number)
    case 9, 18, 19, 20:
      let end = min(count, position + Int.random(in: 0...200, using: &random))
      list.removeSubrange(position..<end)
      model.removeSubrange(position..<end)
    case 10 where count > 0:
      let element = make(&random)
      let index = Int.random(in: 0..<count, using: &random)
      list.replace(index: index, object: element)
      model[index] = element
    case 11 where count > 0:
      let element = make(&random)
      let index = Int.random(in: 0..<count, using: &random)
      list[index] = element
      model[index] = element
    case 12:
      let end = min(count, position + Int.random(in: 0...20, using: &random))
      let elements = some(20)
      list.replaceSubrange(position..<end, with: elements)
      model.replaceSubrange(position..<end, with: elements)
    case 13 where count > 0:
      let from = Int.random(in: 0..<count, using: &random)
      let to = Int.random(in: 0..<count, using: &random)
      list.move(from: from, to: to)
      model.insert(model.remove(at: from), at: to)
    case 14 where count > 0:
      let offsets = Set((0..<4).map { _ in Int.random(in: 0..<count, using: &random) })
      list.move(fromOffsets: IndexSet(offsets), toOffset: position)
      for offset in offsets.sorted() {
        let element = model.remove(at: offset)
        model.insert(element, at: position > offset ? position - 1 : position)
      }
    case 15 where count > 0:
      let offsets = Set((0..<4).map { _ in Int.random(in: 0..<count, using: &random) })
      list.remove(atOffsets: IndexSet(offsets))
      for offset in offsets.sorted(by: >) { model.remove(at: offset) }
    case 16 where count > 0:
      let one = Int.random(in: 0..<count, using: &random)
      let other = Int.random(in: 0..<count, using: &random)
      list.swapAt(one, other)
      model.swapAt(one, other)
    case 17 where Int.random(in: 0..<8, using: &random) == 0:
      list.removeAll()
      model.removeAll()
    case 21:
      var reversed = list
      reversed.reverse()
      model.reverse()
    default: break
    }
  }

  private func check<Element: RealmCollectionValue & Equatable>(
    _ list: List<Element>, _ model: [Element], _ label: String, _ step: Int
  ) {
    #expect(list.count == model.count, "\(label), step \(step)")
    #expect(list.isEmpty == model.isEmpty)
    #expect(list.first == model.first)
    #expect(list.last == model.last)
    #expect(list.endIndex == model.count)
    guard !model.isEmpty else { return }
    let index = (step * 7919) % model.count
    #expect(list[index] == model[index], "\(label), step \(step)")
    #expect(list.index(of: model[index]) == model.firstIndex(of: model[index]), "\(label), step \(step)")
    let end = min(model.count, index + 5)
    #expect(Array(list[index..<end]) == Array(model[index..<end]))
    #expect(list.objects(at: IndexSet(index..<end)) == Array(model[index..<end]))
  }

  /// Several transactions, every third of them cancelled; afterwards the list is as before.
  private func runManaged<Element: RealmCollectionValue & Equatable>(
    _ path: KeyPath<ListTestOwner, List<Element>>, _ seed: UInt64, _ make: (inout ListTestRandom) -> Element
  ) {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    let list = owner[keyPath: path]
    var random = ListTestRandom(seed)
    for round in 0..<9 {
      let before = Array(list)
      realm.beginWrite()
      run(list, steps: 25, &random, "\(Element.self), seed \(seed), round \(round)", make)
      let after = Array(list)
      if round % 3 == 2 {
        realm.cancelWrite()
        #expect(Array(list) == before, "\(Element.self), seed \(seed), round \(round)")
      } else {
        try! realm.commitWrite()
        #expect(Array(list) == after, "\(Element.self), seed \(seed), round \(round)")
      }
      #expect(Array(owner[keyPath: path]) == Array(list))
    }
  }

  private static func text(_ random: inout ListTestRandom) -> String {
    String(repeating: "é\u{0}x", count: Int.random(in: 0..<9, using: &random))
      + "\(Int.random(in: 0..<50, using: &random))"
  }

  @Test(arguments: seeds) func unmanaged(seed: UInt64) {
    var random = ListTestRandom(seed)
    run(List<Int>(), steps: 150, &random, "seed \(seed)") { Int.random(in: 0..<100, using: &$0) }
    run(List<String?>(), steps: 150, &random, "seed \(seed)") { Bool.random(using: &$0) ? nil : Self.text(&$0) }
  }

  @Test(arguments: seeds) func homeThread(seed: UInt64) throws {
    try onOwnThread {
      self.numbers(seed: seed)
      self.others(seed: seed)
      self.objects(seed: seed)
    }
  }

  @Test(arguments: seeds) func numbers(seed: UInt64) {
    runManaged(\.ints, seed) { Int(truncatingIfNeeded: $0.next()) >> Int.random(in: 0..<64, using: &$0) }
    runManaged(\.optionalInts, seed) { Bool.random(using: &$0) ? nil : Int.random(in: -9...9, using: &$0) }
    runManaged(\.bytes, seed) { Int8.random(in: .min ... .max, using: &$0) }
    runManaged(\.flags, seed) { Bool.random(using: &$0) }
    runManaged(\.floats, seed) { Float.random(in: -1...1, using: &$0) }
    runManaged(\.doubles, seed) { Double.random(in: -1...1, using: &$0) }
  }

  @Test(arguments: seeds) func others(seed: UInt64) {
    runManaged(\.strings, seed) { Self.text(&$0) }
    runManaged(\.optionalStrings, seed) { Bool.random(using: &$0) ? nil : Self.text(&$0) }
    runManaged(\.data, seed) { Data(Self.text(&$0).utf8) }
    runManaged(\.dates, seed) { Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &$0)) }
    runManaged(\.uuids, seed) { UUID(uuid: unsafeBitCast(($0.next(), $0.next()), to: uuid_t.self)) }
    runManaged(\.optionalUUIDs, seed) {
      Bool.random(using: &$0) ? nil : UUID(uuid: unsafeBitCast(($0.next(), $0.next()), to: uuid_t.self))
    }
    runManaged(\.colours, seed) { ListTestColour.allCases.randomElement(using: &$0)! }
    runManaged(\.optionalColours, seed) { Bool.random(using: &$0) ? nil : .allCases.randomElement(using: &$0)! }
  }

  /// Objects are compared by row through their numbers, backlinks by deleting.
  @Test(arguments: seeds) func objects(seed: UInt64) {
    let realm = makeListRealm()
    let owner = realm.makeListOwner()
    let list = owner.items
    var random = ListTestRandom(seed)
    var model: [Int] = []
    var next = 0
    var pool: [ListTestItem] = []
    for round in 0..<12 {
      let before = model
      let poolBefore = pool
      realm.beginWrite()
      for step in 0..<20 {
        func item() -> ListTestItem {
          if !pool.isEmpty, Bool.random(using: &random) { return pool.randomElement(using: &random)! }
          let item = ListTestItem(next)
          next += 1
          pool.append(item)
          return item
        }
        let position = Int.random(in: 0...model.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let items = (0..<Int.random(in: 0..<90, using: &random)).map { _ in item() }
          list.append(objectsIn: items)
          model += items.map(\.number)
        case 2:
          let items = (0..<5).map { _ in item() }
          list.insert(contentsOf: items, at: position)
          model.insert(contentsOf: items.map(\.number), at: position)
        case 3:
          let end = min(model.count, position + (model.count > Self.lengthMax ? 150 : 10))
          list.removeSubrange(position..<end)
          model.removeSubrange(position..<end)
        case 4 where !model.isEmpty:
          let from = Int.random(in: 0..<model.count, using: &random)
          let replacement = item()
          list[from] = replacement
          model[from] = replacement.number
        default:
          if let index = pool.indices.randomElement(using: &random), pool[index].realm != nil {
            let gone = pool.remove(at: index)
            let number = gone.number
            realm.delete(gone)
            #expect(gone.isInvalidated)
            model.removeAll { $0 == number }
          }
        }
        pool.removeAll { $0.realm == nil }
        #expect(list.map(\.number) == model, "seed \(seed), round \(round), step \(step)")
      }
      if round % 3 == 2 {
        realm.cancelWrite()
        model = before
        pool = poolBefore.filter { !$0.isInvalidated }
      } else {
        try! realm.commitWrite()
      }
      #expect(list.map(\.number) == model, "seed \(seed), round \(round)")
    }
  }
}
