import FirnEngine
import Testing

@Suite struct NumberOrderTests {
  /// Ints, floating-point numbers and decimals around the places where one kind is denser than another.
  private static func numbers() throws -> [Value] {
    var values: [Value] = [.double(.nan), .float(.nan), .double(.infinity), .double(-.infinity), .double(-0.0)]
    for base in [0, 1, 1 << 24, 1 << 53, 1 << 60, Int64.max - 600, Int64.min + 600] as [Int64] {
      for offset in [-513, -1, 0, 1, 14, 19, 300, 513] as [Int64] {
        let int = base + offset
        values += [.int(int), .double(Double(int)), .float(Float(int)), .decimal128(DecimalFloat(int).bits)]
        let text = Double(int).description
        values.append(.decimal128(try #require(DecimalFloat(text)).bits))
      }
    }
    for real in [0.1, 0.3, 2.5, -7.75, 0x1p63, -0x1p63, 0x1p64, 1e300] {
      values += [.double(real), .float(Float(real)), .decimal128(DecimalFloat(real).bits)]
    }
    return values
  }

  /// No three numbers of any kinds run in a circle, which would make trees that are ordered by them lose what they hold.
  @Test func theOrderOfAllKindsIsTotal() throws {
    let values = try Self.numbers()
    for a in values {
      for b in values {
        let order = a.order(to: b)
        #expect(order == -b.order(to: a), "\(a) and \(b)")
        for c in values where order <= 0 && b.order(to: c) <= 0 {
          let far = a.order(to: c)
          if far > 0 || (far == 0 && (order != 0 || b.order(to: c) != 0)) {
            Issue.record("\(a), \(b), \(c) run in a circle")
          }
        }
      }
    }
  }

  @Test func doublesAndDecimalsMeetAsTexts() throws {
    #expect(Value.double(0.1).order(to: .decimal128(try #require(DecimalFloat("0.1")).bits)) == 0)
    #expect(Value.int(1 << 60).order(to: .double(0x1p60)) == 0)
    #expect(Value.double(0x1p60).order(to: .decimal128(DecimalFloat(1 << 60 as Int64).bits)) == 0)
  }
}
