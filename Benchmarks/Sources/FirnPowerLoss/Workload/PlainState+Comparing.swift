import Firn
import Foundation

extension PlainState {
  /// A line for each place at which a version of a store is not this state.
  func differences(from realm: Realm, schemaVersion: UInt64) -> [String] {
    itemDifferences(realm) + rowDifferences(realm) + remarkDifferences(realm, schemaVersion)
  }

  private func itemDifferences(_ realm: Realm) -> [String] {
    var found: [Int: PlainItem] = [:]
    var lines: [String] = []
    var childCounts: [Int: Int] = [:]
    for item in items.values { if let parent = item.parent { childCounts[parent, default: 0] += 1 } }
    for item in realm.objects(Item.self) {
      let slot = item.slot
      found[slot] = PlainItem(item)
      let count = item.childrenByParent.count
      if count != childCounts[slot] ?? 0 {
        lines.append("\(count) items link to item \(slot), and \(childCounts[slot] ?? 0) should")
      }
    }
    lines += Self.differences("item", items, found)
    // An index says the same as the rows.
    for (slot, item) in items.sorted(by: { $0.key < $1.key }).prefix(5) where found[slot]?.name == item.name {
      let name = item.name
      if !realm.objects(Item.self).where({ $0.name == name }).contains(where: { $0.slot == slot }) {
        lines.append("item \(slot) is not found by its name '\(name)'")
      }
    }
    return lines
  }

  private func rowDifferences(_ realm: Realm) -> [String] {
    var lines: [String] = []
    let found = realm.objects(Row.self)
    if found.count != rows.count { lines.append("there are \(found.count) rows, and there should be \(rows.count)") }
    for row in found {
      let id = row.id
      guard let seed = rows[id] else {
        lines.append("row \(id) should not be there")
        continue
      }
      let (here, expected) = (PlainRow(value: row.value, text: row.text), PlainRow(id: id, seed: seed))
      if here != expected { lines.append("row \(id) is \(here), and should be \(expected)") }
    }
    return lines
  }

  private func remarkDifferences(_ realm: Realm, _ schemaVersion: UInt64) -> [String] {
    var found: [Int: PlainRemark] = [:]
    for remark in realm.dynamicObjects(Remarks.className) {
      guard let id = remark["id"] as? Int, let label = remark["label"] as? String,
        let score = schemaVersion % 2 == 0 ? (remark["score"] as? String).flatMap({ Int($0) }) : remark["score"] as? Int
      else { return ["a remark has other properties than version \(schemaVersion) of the schema says"] }
      found[id] = PlainRemark(score: score, label: label)
    }
    return Self.differences("remark", remarks, found)
  }

  private static func differences<Value: Equatable>(
    _ name: String, _ expected: [Int: Value], _ found: [Int: Value]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().compactMap { key in
      if expected[key] == found[key] { return nil }
      let texts = [found[key], expected[key]].map { value in value.map { "\($0)" } ?? "not there" }
      return "\(name) \(key) is \(texts[0]), and should be \(texts[1])"
    }
  }
}

extension PlainItem {
  fileprivate init(_ item: Item) {
    self.init()
    name = item.name
    optional = item.optional
    real = item.real
    date = item.date
    flag = item.flag
    data = .bytes(item.data)
    numbers = Array(item.numbers)
    texts = Array(item.texts)
    tags = Set(item.tags)
    for entry in item.counts { counts[entry.key] = entry.value }
    any = PlainAny(item.any)
    parent = item.parent?.slot
    children = item.children.map(\.slot)
    spot = item.spot.map { PlainSpot($0) }
    path = item.path.map { PlainSpot($0) }
  }
}

extension PlainSpot {
  fileprivate init(_ spot: Spot) { self.init(x: spot.x, y: spot.y, label: spot.label) }
}

extension PlainAny {
  fileprivate init(_ value: AnyRealmValue) {
    self =
      switch value {
      case .none: .none
      case .int(let number): .number(number)
      case .double(let real): .real(real)
      case .bool(let flag): .flag(flag)
      case .string(let text): .text(text)
      case .list(let values): .list(values.map { $0.intValue ?? .min })
      case .object(let object): .item((object as? Item)?.slot ?? .min)
      default: .text("a value of another type")
      }
  }
}
