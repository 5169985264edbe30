import ArgumentParser
import Foundation

/// Makes the changes of commits from a seed: they are a function of it and of the commit's number alone.
struct Workload: Sendable {
  enum Shape: String, ExpressibleByArgument, CaseIterable, Sendable {
    case small
    /// Now and then a value of megabytes.
    case blobs
    /// The first commit adds very many rows.
    case large
  }

  let seed: UInt64
  let shape: Shape
  /// How many rows the first commit adds.
  let rowCount: Int

  private static let slotCount = 150
  private static let remarkCount = 100

  func changes(ofCommit number: Int) -> [Change] {
    var random = SeededGenerator(seed, number)
    if shape == .large, number == 1 { return [.putRows(ids: 0..<rowCount, seed: random.next())] }
    if shape == .blobs, number % 41 == 13 {
      let blob = PlainData.made(seed: random.next(), byteCount: 900_000 + random.below(4_500_000))
      return [.edit(slot: slot(&random), .data(blob)), .edit(slot: slot(&random), .data(blob))]
    }
    switch random.below(100) {
    case 0..<5: return [.putRows(ids: rowIDs(&random), seed: random.next()), itemChange(&random)]
    case 5..<9: return [.deleteRows(ids: rowIDs(&random))]
    default: return (0...random.below(6)).map { _ in itemChange(&random) }
    }
  }

  private func slot(_ random: inout SeededGenerator) -> Int { random.below(Self.slotCount) }

  private func rowIDs(_ random: inout SeededGenerator) -> Range<Int> {
    let start = random.below(shape == .large ? rowCount : 5_000)
    return start..<start + 50 + random.below(500)
  }

  private func itemChange(_ random: inout SeededGenerator) -> Change {
    switch random.below(100) {
    case 0..<28: .put(slot: slot(&random), item(&random))
    case 28..<62: .edit(slot: slot(&random), edit(&random))
    case 62..<72: .deleteItem(slot: slot(&random))
    case 72..<78: .link(slot: slot(&random), parent: random.below(5) == 0 ? nil : slot(&random))
    case 78..<84: .insertChild(slot: slot(&random), child: slot(&random), place: random.below(10))
    case 84..<88: .removeChild(slot: slot(&random), place: random.below(10))
    case 88..<97: .putRemark(id: random.below(Self.remarkCount), score: random.below(10_000), label: text(&random))
    default: .deleteRemark(id: random.below(Self.remarkCount))
    }
  }

  private func item(_ random: inout SeededGenerator) -> PlainItem {
    var item = PlainItem()
    item.name = text(&random)
    item.optional = random.below(3) == 0 ? nil : random.below(1_000)
    item.real = Double(random.below(10_000)) / 9
    item.date = Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000)))
    item.flag = random.below(2) == 0
    item.data = .bytes(PlainData.made(seed: random.next(), byteCount: random.below(300)).bytes)
    item.numbers = list(8, &random) { $0.below(10_000) }
    item.texts = list(4, &random) { text(&$0) }
    item.tags = Set(list(4, &random) { tag(&$0) })
    item.counts = Dictionary(list(4, &random) { (key(&$0), $0.below(777)) }) { $1 }
    item.any = any(&random)
    item.spot = random.below(2) == 0 ? spot(&random) : nil
    item.path = list(3, &random) { spot(&$0) }
    return item
  }

  private func edit(_ random: inout SeededGenerator) -> Edit {
    switch random.below(10) {
    case 0: .name(text(&random))
    case 1: .addToOptional(random.below(10))
    case 2: .appendNumber(random.below(10_000))
    case 3: .removeNumber(place: random.below(Edit.numberCountMax))
    case 4: .insertText(text(&random))
    case 5: .changeTags(added: tag(&random), removed: tag(&random))
    case 6: .changeCounts(key: key(&random), value: random.below(777), removed: key(&random))
    case 7: .appendSpot(spot(&random))
    case 8: .moveSpot(spot(&random))
    default: .removeSpot
    }
  }

  private func any(_ random: inout SeededGenerator) -> PlainAny {
    switch random.below(7) {
    case 0: .none
    case 1: .number(random.below(100_000) - 50_000)
    case 2: .real(Double(random.below(9_999)) / 3)
    case 3: .flag(random.below(2) == 0)
    case 4: .text(text(&random))
    case 5: .list(list(5, &random) { $0.below(99) })
    default: .item(slot(&random))
    }
  }

  private func spot(_ random: inout SeededGenerator) -> PlainSpot {
    PlainSpot(x: random.below(1_000), y: Double(random.below(5_000)) / 7, label: text(&random))
  }

  private func tag(_ random: inout SeededGenerator) -> String { "tag \(random.below(12))" }

  private func key(_ random: inout SeededGenerator) -> String { "key \(random.below(9))" }

  private func text(_ random: inout SeededGenerator) -> String {
    let letters = ["a", "b", "é", "z", "0", " ", "🙂", "q"]
    return list(24, &random) { letters[$0.below(letters.count)] }.joined() + "\(random.below(1_000))"
  }

  /// Fewer than so many values.
  private func list<Value>(
    _ bound: Int, _ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value
  ) -> [Value] {
    (0..<random.below(bound)).map { _ in value(&random) }
  }
}
