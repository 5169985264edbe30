import FirnEngine
import Testing

@Suite("Sums are exact, whatever comes and goes")
struct ExactSumTests {
  private static func number(_ random: inout SeededRandom) -> Double {
    switch random.below(6) {
    case 0: Double(random.below(2000)) / 8 - 100
    case 1: Double(bitPattern: UInt64(random.below(1 << 30)))
    case 2:
      [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0]
        .randomElement(using: &random)!
    default:
      Double(
        sign: random.chance(50) ? .plus : .minus, exponentBitPattern: UInt(random.below(2047)),
        significandBitPattern: UInt64.random(in: 0..<1 << 52, using: &random))
    }
  }

  @Test func sumsAndAveragesOfDoublesAreTheNearest() {
    var random = SeededRandom.printed("sumsAndAveragesOfDoublesAreTheNearest")
    for _ in 0..<6 {
      var (sum, exact) = (ExactSum(), WideInteger())
      var numbers: [Double] = []
      for _ in 0..<25 {
        if !numbers.isEmpty, random.chance(40) {
          let number = numbers.remove(at: random.below(numbers.count))
          sum.remove(number)
          exact = exact - WideInteger(unitsOf: number)
        } else {
          numbers.append(Self.number(&random))
          sum.add(numbers[numbers.count - 1])
          exact = exact + WideInteger(unitsOf: numbers[numbers.count - 1])
        }
        #expect(sum.count == numbers.count)
        #expect(exact.isNearest(sum.sum), "\(numbers) \(sum.sum)")
        #expect(exact.isNearest(sum.floatSum), "\(numbers) \(sum.floatSum)")
        if let average = sum.average {
          #expect(exact.isNearest(average, dividedBy: numbers.count), "\(numbers) \(average)")
        } else {
          #expect(numbers.isEmpty)
        }
      }
      for number in numbers { sum.remove(number) }
      #expect(sum.sum.bitPattern == 0)
      #expect(sum.average == nil)
    }
  }

  @Test func nothingIsLostBesideLargeNumbers() {
    var sum = ExactSum()
    for number in [1e308, 1, 1e308, -1e308, 1e-300, -1e308] { sum.add(number) }
    #expect(sum.sum == 1)
    sum.remove(1)
    #expect(sum.sum == 1e-300)
  }

  @Test func tiesGoToEven() {
    var sum = ExactSum()
    sum.add(0x1p53)
    sum.add(1)
    #expect(sum.sum == 0x1p53)
    sum.add(2)
    #expect(sum.sum == 0x1p53 + 4)
    sum.add(.leastNonzeroMagnitude)
    sum.remove(2)
    #expect(sum.sum == 0x1p53 + 2)
    // Nothing can stand behind the last bit that numbers have.
    for (number, expected) in [(0x1p-1021, 0x1p-1021), (0x1p-1021.nextUp, 0x1p-1021.nextUp.nextUp)] {
      var sum = ExactSum()
      sum.add(number)
      sum.add(.leastNonzeroMagnitude)
      #expect(sum.sum == expected)
    }
  }

  @Test func carriesAreTakenOn() {
    var sum = ExactSum()
    for _ in 0..<1000 { for number in [0x1p31, -0x1p63, 0x1.fffffffffffffp63] { sum.add(number) } }
    var exact = WideInteger()
    for number in [0x1p31, -0x1p63, 0x1.fffffffffffffp63] { exact = exact + WideInteger(unitsOf: number) * 1000 }
    #expect(exact.isNearest(sum.sum))
  }

  @Test func infinitiesAreCounted() {
    var sum = ExactSum()
    sum.add(.infinity)
    sum.add(1)
    #expect(sum.sum == .infinity)
    #expect(sum.average == .infinity)
    sum.add(-.infinity)
    #expect(sum.sum.isNaN)
    sum.remove(.infinity)
    #expect(sum.sum == -.infinity)
    sum.remove(-.infinity)
    #expect(sum.sum == 1)
  }

  @Test func averagesOfIntegersAreTheNearest() {
    var random = SeededRandom.printed("averagesOfIntegersAreTheNearest")
    for _ in 0..<50 {
      let count = 1 + random.below(1000)
      let sum = Int128(Int64.random(in: .min ... .max, using: &random)) * Int128(random.below(count + 1))
      let average = BinaryRounding.double(sum, dividedBy: UInt64(count))
      #expect(WideInteger(sum).shifted(by: 1074).isNearest(average, dividedBy: count), "\(sum) \(count)")
    }
  }

  // MARK: Decimals

  /// ±coefficient · 10^exponent in units of 10^-150.
  private static func units(_ number: DecimalFloat) -> WideInteger {
    var units = WideInteger(Int128(number.coefficient))
    for _ in 0..<(number.exponent + 150) { units = units * 10 }
    return number.isNegative ? -units : units
  }

  /// Whether half of the last of 34 digits is not exceeded, or reached by an odd number.
  private static func isNearest(_ number: DecimalFloat, _ exact: WideInteger, dividedBy count: Int) -> Bool {
    let distance = (exact - units(number) * count).magnitude
    if distance == WideInteger() { return true }
    // Zeros at the end are left out.
    let missing = 34 - String(number.coefficient).count
    let last = units(DecimalFloat("1e\(number.exponent - missing)")!) * count
    let twice = distance + distance
    return twice < last || (twice == last && (missing > 0 || number.coefficient % 2 == 0))
  }

  @Test func sumsAndAveragesOfDecimalsAreTheNearest() {
    var random = SeededRandom.printed("sumsAndAveragesOfDecimalsAreTheNearest")
    for _ in 0..<4 {
      var (sum, exact) = (ExactDecimalSum(), WideInteger())
      var numbers: [DecimalFloat] = []
      for _ in 0..<12 {
        if !numbers.isEmpty, random.chance(40) {
          let number = numbers.remove(at: random.below(numbers.count))
          sum.remove(number)
          exact = exact - Self.units(number)
        } else {
          let digits = (0..<(1 + random.below(34))).map { _ in String(random.below(10)) }.joined()
          let number = DecimalFloat("\(random.chance(50) ? "-" : "")\(digits)e\(random.below(60) - 30)")!
          numbers.append(number)
          sum.add(number)
          exact = exact + Self.units(number)
        }
        #expect(Self.isNearest(sum.sum, exact, dividedBy: 1), "\(numbers) \(sum.sum)")
        if let average = sum.average {
          #expect(Self.isNearest(average, exact, dividedBy: numbers.count), "\(numbers) \(average)")
        }
      }
      for number in numbers { sum.remove(number) }
      #expect(sum.sum.isZero && sum.average == nil)
    }
  }

  /// Half of the last digit goes to even unless anything lies behind it, however far behind.
  @Test func tiesOfDecimalsGoToEven() {
    for last in 0..<10 {
      let text = "123456789012345678901234567890123\(last)"
      let number = DecimalFloat(text)!
      for far in ["0", "1e-3", "1e-9", "1e-40", "1e-6000"] {
        for (sign, isFarther) in [("", true), ("-", false)] {
          var sum = ExactDecimalSum()
          for text in [text, "0.5", sign + far] { sum.add(DecimalFloat(text)!) }
          let isUp = far == "0" ? last % 2 == 1 : isFarther
          let nearest = isUp ? number + DecimalFloat("1")! : number
          #expect(sum.sum.order(to: nearest) == 0, "\(text) + 0.5 + \(sign)\(far) is \(sum.sum)")
        }
      }
    }
  }

  @Test func whatHasNoMoreThan34DigitsIsWrittenWithoutExponent() {
    for zeros in 0..<34 {
      var sum = ExactDecimalSum()
      sum.add(DecimalFloat("7e\(zeros)")!)
      #expect(sum.sum.exponent == 0 && sum.sum.order(to: DecimalFloat("7e\(zeros)")!) == 0, "\(zeros)")
    }
    var sum = ExactDecimalSum()
    sum.add(DecimalFloat("7e34")!)
    #expect(sum.sum.exponent > 0)
  }

  @Test func codesOfDecimalsHaveTheirOrder() {
    let texts = [
      "-inf", "-9.999e6144", "-1e3", "-1", "-0.5", "-1e-6176", "0", "1e-6176", "2e-6176", "1e-6143", "0.1", "0.10001",
      "1", "1.5", "10", "12345678901234567890.12345678901234", "1e6144", "inf",
    ]
    let numbers = texts.map { DecimalFloat($0)! }
    for (index, number) in numbers.enumerated() {
      #expect(DecimalFloat(orderCode: number.orderCode).order(to: number) == 0, "\(texts[index])")
      for (other, second) in numbers.enumerated() {
        #expect((number.orderCode < second.orderCode) == (index < other), "\(texts[index]) \(texts[other])")
      }
    }
    #expect(DecimalFloat("1.00")!.orderCode == DecimalFloat("1")!.orderCode)
    #expect(DecimalFloat("-0")!.orderCode == DecimalFloat("0")!.orderCode)
  }
}
