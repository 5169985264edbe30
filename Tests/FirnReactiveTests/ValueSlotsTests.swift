import FirnEngine
import FirnReactive
import Testing

@Suite("Slots by the values that their views name")
struct ValueSlotsTests {
  @Test("the same as a dictionary of sets", arguments: 0..<8)
  func againstDictionary(round: Int) {
    var random = SeededRandom.printed("againstDictionary \(round)")
    let slots = ValueSlots()
    var model: [Value: Set<Int32>] = [:]
    let valueCount = [1, 3, 40, 300][round % 4]
    for _ in 0..<6000 {
      let value = value(random.below(valueCount))
      let slot = Int32(random.below(round < 4 ? 4 : 1000))
      if model[value]?.contains(slot) == true {
        slots.remove(slot, for: value)
        model[value]!.remove(slot)
      } else if random.chance(60) {
        slots.insert(slot, for: value)
        model[value, default: []].insert(slot)
      } else {
        slots.remove(slot, for: value)
      }
      let asked = self.value(random.below(valueCount + 2))
      #expect(found(asked, slots) == model[asked, default: []].sorted())
    }
    for (value, expected) in model {
      for slot in expected { slots.remove(slot, for: value) }
    }
    #expect(slots.isEmpty)
  }

  /// Small tables are filled many times, each with other values: the count of one alone is left to chance.
  @Test("few entries are looked at, also after most have gone", arguments: [1, 100, 100_000])
  func probes(count: Int) {
    let rounds = 100_000 / count
    var probed = 0
    var probedOfLeft = 0
    for first in stride(from: 0, to: rounds * count, by: count) {
      let indices = first..<first + count
      let slots = ValueSlots()
      for index in indices { slots.insert(Int32(index), for: value(index)) }
      #expect(indices.allSatisfy { found(value($0), slots).contains(Int32($0)) })
      for index in indices { probed += slots.probeCount(value(index)) }
      let left = stride(from: first, to: first + count, by: 10)
      for index in indices where (index - first) % 10 != 0 { slots.remove(Int32(index), for: value(index)) }
      #expect(left.allSatisfy { found(value($0), slots).contains(Int32($0)) })
      for index in left { probedOfLeft += slots.probeCount(value(index)) }
    }
    // 2.5 are expected of a table that is three quarters full (Knuth).
    #expect(probed <= 3 * rounds * count)
    #expect(probedOfLeft <= 2 * rounds * max(1, count / 10))
  }

  /// Without those of other values, of which a part of the hash is the same.
  private func found(_ value: Value, _ slots: ValueSlots) -> [Int32] {
    var found: [Int32] = []
    slots.visit(value) { found.append($0) }
    return found.sorted()
  }

  private func value(_ index: Int) -> Value { index % 2 == 0 ? .int(Int64(index)) : Value("value \(index)") }
}
