import FirnEngine
import Testing

@testable import FirnReactive

@Suite("The ends of values of all kinds")
struct MixedExtremesTests {
  /// Equal numbers in several kinds, and other values.
  private static let values: [Value] = {
    var values: [Value] = [.bool(false), .bool(true), .double(-.infinity), .int(.max), .object(0, RowKey(1))]
    for number in 0..<4 {
      values += [.int(Int64(number)), .float(Float(number)), .double(Double(number)), Value("\(number)")]
      values.append(.decimal128(Bytes16(low: UInt64(number), high: 6176 << 49)))
      values.append(.decimal128(Bytes16(low: UInt64(number) * 10, high: 6175 << 49)))
      values += [.data([UInt8(number)]), .date(Double(number))]
    }
    return values
  }()

  @Test func areThoseOfAModel() {
    var random = SeededRandom.printed("mixed extremes")
    let extremes = MixedExtremes()
    var model: [[Value]] = [[], [], []]
    for _ in 0..<2_000 {
      let group = random.below(3)
      if !model[group].isEmpty, random.chance(48) {
        extremes.remove(model[group].remove(at: random.below(model[group].count)), from: group)
      } else {
        let value = Self.values.randomElement(using: &random)!
        model[group].append(value)
        extremes.add(value, to: group)
      }
      for group in 0..<3 {
        let (least, greatest) = (extremes.least(of: group), extremes.greatest(of: group))
        let ends = (
          model[group].min { $0.order(to: $1) < 0 } ?? .null, model[group].max { $0.order(to: $1) < 0 } ?? .null
        )
        #expect(least.order(to: ends.0) == 0 && greatest.order(to: ends.1) == 0)
        // One that is there, in its own form.
        #expect(model[group].isEmpty || (model[group].contains(least) && model[group].contains(greatest)))
      }
    }
  }

  /// What is kept of values that come and go does not grow.
  @Test func placesOfValuesThatWentAreUsedAgain() {
    let extremes = MixedExtremes()
    extremes.add(.int(-1), to: 0)
    for number in 0..<500 {
      extremes.add(.int(Int64(number)), to: 0)
      extremes.remove(.int(Int64(number)), from: 0)
    }
    let values = Mirror(reflecting: extremes).children.first { $0.label == "values" }?.value as? [Value]
    #expect(values?.count == 2)
    #expect(extremes.greatest(of: 0) == .int(-1))
  }
}
