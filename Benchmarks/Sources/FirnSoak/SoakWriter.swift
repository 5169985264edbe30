import Firn
import Foundation

/// A writer, its rows, and a plain copy of them outside of the database.
struct SoakWriter {
  enum Change: Sendable {
    case put(id: Int, number: Int, textCount: Int)
    case delete(id: Int)
  }

  let index: Int
  private let rowCount: Int
  private var random: SeededGenerator
  private var rows: [Int: (number: Int, textCount: Int)] = [:]
  private var ids: [Int] = []
  private var nextID: Int
  private var round = 0
  private var sum = 0

  init(index: Int, rowCount: Int, seed: UInt64) {
    self.index = index
    self.rowCount = rowCount
    random = SeededGenerator(seed: seed &+ UInt64(index))
    nextID = index << 40
  }

  /// Writes a transaction; false when the store was closed before it began.
  mutating func write(_ store: RealmStore, _ deadline: ContinuousClock.Instant?) async throws -> Bool {
    // Acknowledged is what counts: the plain copy changes when the write has returned.
    var after = self
    let changes = after.plan()
    let (writer, round, count, sum) = (index, after.round, after.rows.count, after.sum)
    do {
      try await store.write(deadline: deadline, author: "writer \(writer)") { realm in
        for change in changes { Self.apply(change, writer, realm) }
        realm.create(
          SoakLedger.self, value: ["writer": writer, "round": round, "count": count, "sum": sum], update: .modified)
      }
    } catch Realm.Error.storeClosed {
      return false
    }
    self = after
    return true
  }

  private mutating func plan() -> [Change] {
    round += 1
    // Now and then many rows at once, and now and then most of them go.
    let isBurst = Int.random(in: 0..<200, using: &random) == 0
    let count = isBurst ? rowCount / 2 : Int.random(in: 1...8, using: &random)
    let isClearing = isBurst && rows.count > rowCount / 2
    var changes: [Change] = []
    for _ in 0..<count {
      // Rows are added as often as they are deleted when there are `rowCount`.
      let isRoomy = Int.random(in: 0..<2 * rowCount, using: &random) >= rows.count
      switch Int.random(in: 0..<10, using: &random) {
      case 0...5 where !isClearing && !ids.isEmpty: put(ids.randomElement(using: &random) ?? 0, &changes)
      case _ where !isClearing && isRoomy:
        nextID += 1
        ids.append(nextID)
        put(nextID, &changes)
      default:
        guard !ids.isEmpty else { continue }
        let place = Int.random(in: 0..<ids.count, using: &random)
        ids.swapAt(place, ids.count - 1)
        let id = ids.removeLast()
        if let row = rows.removeValue(forKey: id) { sum &-= checksum(id, row) }
        changes.append(.delete(id: id))
      }
    }
    return changes
  }

  private mutating func put(_ id: Int, _ changes: inout [Change]) {
    if let row = rows[id] { sum &-= checksum(id, row) }
    let size = Int.random(in: 0..<100, using: &random)
    let row = (
      number: Int.random(in: 0..<1_000_000, using: &random),
      textCount: Int.random(in: 0...(size == 0 ? 8_000 : size < 10 ? 600 : 40), using: &random)
    )
    rows[id] = row
    sum &+= checksum(id, row)
    changes.append(.put(id: id, number: row.number, textCount: row.textCount))
  }

  private func checksum(_ id: Int, _ row: (number: Int, textCount: Int)) -> Int {
    SoakModel.checksum(id: id, number: row.number, text: SoakModel.text(row.number, count: row.textCount))
  }

  private static func apply(_ change: Change, _ writer: Int, _ realm: Realm) {
    switch change {
    case .put(let id, let number, let textCount):
      let item: SoakItem
      if let known = realm.object(ofType: SoakItem.self, forPrimaryKey: id) {
        item = known
      } else {
        item = realm.create(SoakItem.self, value: ["id": id, "writer": writer])
        item.previous = realm.object(ofType: SoakItem.self, forPrimaryKey: id - 1)
      }
      item.number = number
      item.text = SoakModel.text(number, count: textCount)
      item.tags.removeAll()
      item.tags.append(objectsIn: 0..<number & 3)
    case .delete(let id):
      if let item = realm.object(ofType: SoakItem.self, forPrimaryKey: id) { realm.delete(item) }
    }
  }

  /// Throws when a version has other rows of this writer than were acknowledged.
  func check(_ realm: FrozenRealm, _ note: String) throws {
    let ledger = realm.object(ofType: SoakLedger.self, forPrimaryKey: index)
    guard (ledger?.round ?? 0) == round else {
      throw SoakFailure(
        "\(note): writer \(index) has written \(round) transactions, and the database has \(ledger?.round ?? 0).")
    }
    let index = index
    let items = realm.objects(SoakItem.self).where { $0.writer == index }
    guard items.count == rows.count else {
      throw SoakFailure("\(note): writer \(index) has \(rows.count) rows, and the database \(items.count).")
    }
    for item in items {
      guard let row = rows[item.id], row.number == item.number, row.textCount == item.text.utf8.count else {
        throw SoakFailure("\(note): the row \(item.id) of writer \(index) is not what was written.")
      }
    }
  }

  var transactionCount: Int { round }
}
