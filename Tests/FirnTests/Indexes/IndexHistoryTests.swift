import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Indexes of every kind through random transactions, against values that are kept beside and searched one by one.
@Suite struct IndexHistoryTests {
  /// `FIRN_HISTORIES` by hand.
  private static let rounds = environmentNumber("FIRN_HISTORIES") ?? 6

  @Test(arguments: 0..<rounds) func queriesAgreeWithTheModel(round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("index history \(round)")
      // In a file every other time; it is closed and opened again.
      let files = round % 2 == 0 ? nil : try TemporaryStore(Staff.types)
      let configuration =
        files?.configuration ?? .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Staff.types)
      var model = StaffModel()
      for _ in 0..<(files == nil ? 1 : 3) {
        let isRight = try autoreleasing {
          try StaffHistory(realm: opened(configuration), model: model, random: random)
            .run(steps: files == nil ? 12 : 4, &model, &random)
        }
        if !isRight { return }
      }
    }
  }

  /// Rows of two classes with one key, of which one index reads both, are written one after the other.
  @Test func keysOfTwoClassesMayBeTheSame() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: Staff.types))
    try realm.write {
      let boss = realm.create(Staff.Boss.self, value: ["id": 1, "number": 1])
      let friend = realm.create(Staff.Worker.self, value: ["id": 1, "name": "friend"])
      let other = realm.create(Staff.Worker.self, value: ["id": 2, "name": "other"])
      other.boss = boss
      for id in 3..<8 {
        realm.create(Staff.Worker.self, value: ["id": id]).friend = id % 2 == 0 ? friend : other
      }
    }
    let workers = realm.objects(Staff.Worker.self)
    let boss = realm.objects(Staff.Boss.self)[0]
    try realm.write {
      workers[0].boss = nil
      boss.number = 7
      workers[0].boss = boss
    }
    realm.instance.version!.contents.checkInvariants()
    #expect(Array(workers.filter("friend.boss.number == 7").map(\.id)) == [3, 4, 5, 6, 7])
    #expect(workers.filter("friend.boss.number == 1").isEmpty)
  }
}

/// A database and what it should hold.
final class StaffHistory {
  let realm: Realm
  var model: StaffModel
  var random: SeededRandom
  let spread: Int
  private var nextID = 0

  init(realm: Realm, model: StaffModel, random: SeededRandom) {
    self.realm = realm
    self.model = model
    self.random = random
    spread = [1, 3, 30, 1000][self.random.below(4)]
    nextID = (model.workers.map(\.id) + model.bosses.map(\.id)).max().map { $0 + 1 } ?? 0
  }

  var workers: Results<Staff.Worker> { realm.objects(Staff.Worker.self) }

  /// Returns false once something is wrong.
  func run(steps: Int, _ model: inout StaffModel, _ random: inout SeededRandom) throws -> Bool {
    defer { (model, random) = (self.model, self.random) }
    if !agrees("opened") { return false }
    for step in 0..<steps {
      let before = self.model
      let frozen = workers.freeze()
      realm.beginWrite()
      for _ in 0..<[1, 2, 5, 12][self.random.below(4)] {
        act()
        if self.random.chance(12), !answer("\(step), inside") { return false }
      }
      if self.random.chance(12) {
        realm.cancelWrite()
        self.model = before
      } else if self.model.hasEquals {
        let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        #expect(error?.code == .duplicateValue)
        if realm.isInWriteTransaction { realm.cancelWrite() }
        self.model = before
      } else {
        try realm.commitWrite()
      }
      if !agrees("\(step)") { return false }
      let kept = self.model
      self.model = before
      if frozen.count != before.workers.count || !answer("\(step), frozen", frozen) { return false }
      self.model = kept
    }
    return true
  }

  private func agrees(_ step: String) -> Bool {
    realm.instance.version!.contents.checkInvariants()
    for _ in 0..<3 where !answer(step) { return false }
    return true
  }

  // MARK: Changing

  private func act() {
    if model.bosses.isEmpty || random.chance(8) { addBoss() }
    if model.workers.isEmpty || random.chance(25) {
      for _ in 0..<[1, 3, 20, 90][random.below(4)] { addWorker() }
    }
    let count = min(model.workers.count, [1, 1, 2, 7, 8, 9, 10, 16, 17, 63, 64, 65, 66, 130][random.below(14)])
    let kind = random.below(14)
    if kind < 3 { return changeBoss(kind) }
    let first = random.below(model.workers.count)
    let isOne = random.chance(20)
    for number in 0..<count where !model.workers.isEmpty {
      let index = isOne ? min(first, model.workers.count - 1) : (first + number) % model.workers.count
      changeWorker(index, random.chance(15) ? 3 + random.below(11) : kind)
    }
  }

  private func number() -> Int? { random.chance(15) ? nil : random.below(spread) }

  func name() -> String {
    ["", "a", "equal beginning", "equal beginning of many \u{0}", "é", "\u{FFFF}"][random.below(6)]
      + (random.chance(50) ? "" : "\(random.below(spread))")
  }

  private func place() -> StaffModel.Place {
    let (latitude, longitude) = spread == 1 ? (10, 20) : random.location()
    return StaffModel.Place(coordinates: [longitude, latitude])
  }

  private func stored(_ place: StaffModel.Place?) -> Placed.Location? {
    guard let place else { return nil }
    let location = Placed.Location()
    location.type = place.type
    location.coordinates.append(objectsIn: place.coordinates)
    return location
  }

  private func addBoss() {
    nextID += 1
    let boss = StaffModel.Boss(id: nextID, number: number(), place: random.chance(20) ? nil : place())
    let row = realm.create(Staff.Boss.self, value: ["id": boss.id])
    row.number = boss.number
    row.place = stored(boss.place)
    model.bosses.append(boss)
  }

  private func addWorker(_ id: Int? = nil) {
    nextID += 1
    var worker = StaffModel.Worker(id: id ?? nextID)
    worker.name = name()
    worker.level = number()
    worker.rate = [0, -0.0, .nan, .infinity, -.infinity, Double(random.below(spread))][random.below(6)]
    worker.code = random.chance(50) ? nil : "a code that is long \(random.below(1_000_000))"
    worker.boss = random.chance(20) ? nil : model.bosses[random.chance(60) ? 0 : random.below(model.bosses.count)].id
    worker.friend = model.workers.isEmpty || random.chance(20) ? nil : friend()
    worker.place = random.chance(20) ? nil : place()
    let row = realm.create(Staff.Worker.self, value: ["id": worker.id, "name": worker.name, "rate": worker.rate])
    row.level = worker.level
    row.code = worker.code
    row.boss = boss(worker.boss)
    row.friend = self.row(worker.friend)
    row.location = stored(worker.place)
    model.workers.append(worker)
  }

  private func friend() -> Int { model.workers[random.chance(60) ? 0 : random.below(model.workers.count)].id }
  private func row(_ id: Int?) -> Staff.Worker? {
    id.flatMap { realm.object(ofType: Staff.Worker.self, forPrimaryKey: $0) }
  }
  private func boss(_ id: Int?) -> Staff.Boss? {
    id.flatMap { realm.object(ofType: Staff.Boss.self, forPrimaryKey: $0) }
  }

  private func changeBoss(_ kind: Int) {
    let index = random.chance(60) ? 0 : random.below(model.bosses.count)
    let row = boss(model.bosses[index].id)!
    switch kind {
    case 0:
      model.bosses[index].number = number()
      row.number = model.bosses[index].number
    case 1: change(&model.bosses[index].place, row.place) { row.place = $0 }
    default:
      if random.chance(30) {
        realm.delete(row)
        model.delete(boss: model.bosses[index].id)
        if model.bosses.isEmpty { addBoss() }
      } else {
        model.bosses[index].number = number()
        row.number = model.bosses[index].number
        change(&model.bosses[index].place, row.place) { row.place = $0 }
      }
    }
  }

  private func changeWorker(_ index: Int, _ kind: Int) {
    let id = model.workers[index].id
    let row = row(id)!
    switch kind {
    case 3:
      model.workers[index].name = name()
      row.name = model.workers[index].name
    case 4:
      model.workers[index].level = number()
      row.level = model.workers[index].level
    case 5:
      model.workers[index].rate = random.chance(40) ? .nan : Double(random.below(spread))
      row.rate = model.workers[index].rate
    case 6:
      let other = model.workers[random.below(model.workers.count)].code
      model.workers[index].code = random.chance(4) ? other : (random.chance(30) ? nil : "\(random.next())")
      row.code = model.workers[index].code
    case 7:
      model.workers[index].desk = random.chance(50) ? nil : random.below(100_000)
      row.desk = model.workers[index].desk
    case 8:
      model.workers[index].boss = random.chance(20) ? nil : model.bosses[random.below(model.bosses.count)].id
      row.boss = boss(model.workers[index].boss)
    case 9:
      model.workers[index].friend = random.chance(20) ? nil : friend()
      row.friend = self.row(model.workers[index].friend)
    case 10:
      realm.delete(row)
      model.delete(worker: id)
      if random.chance(50) { addWorker(id) }
    default: change(&model.workers[index].place, row.location) { row.location = $0 }
    }
  }

  /// Changes a place in one of many ways.
  private func change(
    _ place: inout StaffModel.Place?, _ row: Placed.Location?, _ set: (Placed.Location?) -> Void
  ) {
    let next = self.place()
    guard var kept = place, let row, random.chance(80) else {
      place = random.chance(15) ? nil : next
      return set(stored(place))
    }
    switch random.below(9) {
    case 0:
      kept.type = ["Point", "point", "Line", "", "Points"][random.below(5)]
      row.type = kept.type
    case 1:
      kept.coordinates = Array(kept.coordinates.dropLast())
      if !row.coordinates.isEmpty { row.coordinates.removeLast() }
    case 2:
      let odd = [Double.nan, .infinity, -.infinity, 200, -0.0][random.below(5)]
      if kept.coordinates.isEmpty { return }
      let position = random.below(kept.coordinates.count)
      kept.coordinates[position] = odd
      row.coordinates[position] = odd
    case 3:
      kept.coordinates = next.coordinates
      row.coordinates.removeAll()
      row.coordinates.append(objectsIn: next.coordinates)
    case 4:
      kept.coordinates.insert(next.coordinates[0], at: 0)
      row.coordinates.insert(next.coordinates[0], at: 0)
    case 5:
      realm.delete(row)
      place = nil
      return
    case 6:
      row.note += 1
      if kept.coordinates.count > 1 { kept.coordinates.swapAt(0, 1) }
      if kept.coordinates.count > 1 { row.coordinates.swapAt(0, 1) }
    default:
      for position in kept.coordinates.indices.prefix(2) {
        kept.coordinates[position] = next.coordinates[position]
        row.coordinates[position] = next.coordinates[position]
      }
    }
    place = kept
  }
}
