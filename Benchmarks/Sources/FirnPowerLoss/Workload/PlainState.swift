/// The content of a store after so many commits, made without a store.
struct PlainState: Sendable {
  private(set) var commitCount = 0
  private(set) var items: [Int: PlainItem] = [:]
  /// The number that each row is made from.
  private(set) var rows: [Int: UInt64] = [:]
  private(set) var remarks: [Int: PlainRemark] = [:]

  mutating func apply(_ changes: [Change]) {
    commitCount += 1
    for change in changes { apply(change) }
  }

  private mutating func apply(_ change: Change) {
    switch change {
    case .put(let slot, var item):
      item.parent = items[slot]?.parent
      item.children = items[slot]?.children ?? []
      if case .item(let target) = item.any, target != slot, items[target] == nil { item.any = .none }
      items[slot] = item
    case .edit(let slot, let edit): items[slot]?.apply(edit)
    case .deleteItem(let slot): delete(slot)
    case .link(let slot, let parent):
      if let parent, items[parent] == nil { return }
      items[slot]?.parent = parent
    case .insertChild(let slot, let child, let place):
      guard items[child] != nil, let count = items[slot]?.children.count else { return }
      items[slot]?.children.insert(child, at: min(place, count))
    case .removeChild(let slot, let place):
      guard let count = items[slot]?.children.count, count > 0 else { return }
      items[slot]?.children.remove(at: place % count)
    case .putRows(let ids, let seed): for id in ids { rows[id] = seed }
    case .deleteRows(let ids): for id in ids { rows[id] = nil }
    case .putRemark(let id, let score, let label): remarks[id] = PlainRemark(score: score, label: label)
    case .deleteRemark(let id): remarks[id] = nil
    }
  }

  /// Nothing leads to an item that is gone.
  private mutating func delete(_ slot: Int) {
    guard items.removeValue(forKey: slot) != nil else { return }
    for (other, item) in items {
      if item.parent == slot { items[other]?.parent = nil }
      if item.children.contains(slot) { items[other]?.children.removeAll { $0 == slot } }
      if item.any == .item(slot) { items[other]?.any = .none }
    }
  }
}

struct PlainRemark: Equatable, Sendable {
  var score: Int
  var label: String
}

/// The properties of a row.
struct PlainRow: Equatable {
  let value: Int
  let text: String

  init(id: Int, seed: UInt64) {
    var random = SeededGenerator(seed, id)
    self.init(value: random.below(1_000), text: "row \(random.below(50))")
  }

  init(value: Int, text: String) {
    self.value = value
    self.text = text
  }
}

extension PlainItem {
  fileprivate mutating func apply(_ edit: Edit) {
    switch edit {
    case .name(let name): self.name = name
    case .addToOptional(let number): optional = (optional ?? 0) + number
    case .data(let data): self.data = data
    case .appendNumber(let number):
      numbers.append(number)
      if numbers.count > Edit.numberCountMax { numbers.removeFirst(numbers.count / 2) }
    case .removeNumber(let place): if !numbers.isEmpty { numbers.remove(at: place % numbers.count) }
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
      path.append(spot)
      if path.count > Edit.spotCountMax { path.removeFirst() }
    case .moveSpot(let spot): if self.spot != nil { self.spot?.x += spot.x } else { self.spot = spot }
    case .removeSpot: spot = nil
    }
  }
}
