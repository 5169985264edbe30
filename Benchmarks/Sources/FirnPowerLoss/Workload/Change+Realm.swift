import Firn
import Foundation

extension Change {
  /// Makes the change in a transaction.
  func apply(to realm: Realm, schemaVersion: UInt64) {
    switch self {
    case .put(let slot, let content):
      let item = Item.at(slot, realm) ?? realm.create(Item.self, value: ["slot": slot])
      item.set(content, realm)
    case .edit(let slot, let edit): Item.at(slot, realm)?.apply(edit)
    case .deleteItem(let slot): if let item = Item.at(slot, realm) { realm.delete(item) }
    case .link(let slot, let parent):
      guard let item = Item.at(slot, realm) else { return }
      let target = parent.flatMap { Item.at($0, realm) }
      if target != nil || parent == nil { item.parent = target }
    case .insertChild(let slot, let child, let place):
      guard let item = Item.at(slot, realm), let target = Item.at(child, realm) else { return }
      item.children.insert(target, at: min(place, item.children.count))
    case .removeChild(let slot, let place):
      guard let item = Item.at(slot, realm), item.children.count > 0 else { return }
      item.children.remove(at: place % item.children.count)
    case .putRows(let ids, let seed):
      for id in ids {
        let plain = PlainRow(id: id, seed: seed)
        let row = realm.object(ofType: Row.self, forPrimaryKey: id) ?? realm.create(Row.self, value: ["id": id])
        row.value = plain.value
        row.text = plain.text
      }
    case .deleteRows(let ids):
      for id in ids { if let row = realm.object(ofType: Row.self, forPrimaryKey: id) { realm.delete(row) } }
    case .putRemark(let id, let score, let label):
      // Which class it is depends on the version of the schema.
      let storedScore: Any = schemaVersion % 2 == 0 ? "\(score)" : score
      realm.dynamicCreate(
        Remarks.className, value: ["id": id, "score": storedScore, "label": label] as [String: Any], update: .modified)
    case .deleteRemark(let id):
      if let remark = realm.dynamicObject(ofType: Remarks.className, forPrimaryKey: id) { realm.delete(remark) }
    }
  }
}

extension Item {
  static func at(_ slot: Int, _ realm: Realm) -> Item? { realm.object(ofType: Item.self, forPrimaryKey: slot) }

  fileprivate func set(_ content: PlainItem, _ realm: Realm) {
    name = content.name
    optional = content.optional
    real = content.real
    date = content.date
    flag = content.flag
    data = content.data.bytes
    numbers.removeAll()
    numbers.append(objectsIn: content.numbers)
    texts.removeAll()
    texts.append(objectsIn: content.texts)
    tags.removeAll()
    for tag in content.tags { tags.insert(tag) }
    counts.removeAll()
    for (key, value) in content.counts { counts[key] = value }
    setAny(content.any, realm)
    spot = content.spot.map { Spot($0) }
    path.removeAll()
    for spot in content.path { path.append(Spot(spot)) }
  }

  private func setAny(_ value: PlainAny, _ realm: Realm) {
    switch value {
    case .none: any = .none
    case .number(let number): any = .int(number)
    case .real(let real): any = .double(real)
    case .flag(let flag): any = .bool(flag)
    case .text(let text): any = .string(text)
    case .list(let numbers):
      let list = List<AnyRealmValue>()
      for number in numbers { list.append(.int(number)) }
      any = .list(list)
    case .item(let slot): any = Item.at(slot, realm).map { .object($0) } ?? .none
    }
  }

  fileprivate func apply(_ edit: Edit) {
    switch edit {
    case .name(let name): self.name = name
    case .addToOptional(let number): optional = (optional ?? 0) + number
    case .data(let data): self.data = data.bytes
    case .appendNumber(let number):
      numbers.append(number)
      let count = numbers.count
      if count > Edit.numberCountMax { for _ in 0..<count / 2 { numbers.remove(at: 0) } }
    case .removeNumber(let place): if numbers.count > 0 { numbers.remove(at: place % numbers.count) }
    case .insertText(let text):
      texts.insert(text, at: 0)
      if texts.count > Edit.textCountMax { texts.removeLast() }
    case .changeTags(let added, let removed):
      tags.insert(added)
      tags.remove(removed)
    case .changeCounts(let key, let value, let removed):
      counts[key] = value
      counts[removed] = nil
    case .appendSpot(let spot):
      path.append(Spot(spot))
      if path.count > Edit.spotCountMax { path.remove(at: 0) }
    case .moveSpot(let spot): if let here = self.spot { here.x += spot.x } else { self.spot = Spot(spot) }
    case .removeSpot: spot = nil
    }
  }
}

extension Spot {
  fileprivate convenience init(_ plain: PlainSpot) {
    self.init()
    x = plain.x
    y = plain.y
    label = plain.label
  }
}
