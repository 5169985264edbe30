import FirnEngine
import Foundation
import Testing

/// Decimals against what Python's `decimal` says in the context of decimal128: see `Vectors/generate.py`.
@Suite struct DecimalFloatTests {
  private static let vectors: [[Substring]] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Vectors/decimals.txt")
    guard let text = try? String(contentsOf: path, encoding: .utf8) else { fatalError("Cannot read \(path.path).") }
    return text.split(separator: "\n").map { $0.split(separator: " ") }
  }()

  private func vectors(_ kind: String, _ count: Int) -> ArraySlice<[Substring]> {
    let found = Self.vectors.filter { $0[0] == kind }
    #expect(found.count >= count, "there are \(found.count) vectors of kind \(kind)")
    return found[...]
  }

  private func decimal(_ text: Substring) throws -> DecimalFloat {
    try #require(DecimalFloat(String(text)), "'\(text)' is not read")
  }

  private func parts(_ number: DecimalFloat) -> String {
    switch number.kind {
    case .notANumber: "nan"
    case .infinite: number.isNegative ? "-inf" : "inf"
    case .finite: "\(number.isNegative ? "-" : "+") \(number.coefficient) \(number.exponent)"
    }
  }

  @Test func reading() throws {
    for vector in vectors("p", 100) {
      #expect(parts(try decimal(vector[1])) == vector[2...].joined(separator: " "), "\(vector[1])")
    }
    for text in ["", "+", ".", "e5", "1e", "1e+", "1e5x", "1 ", " 1", "1.2.3", "0x1", "infi", "nan1", "--1", "1-", "٣"]
    {
      #expect(DecimalFloat(text) == nil, "'\(text)'")
    }
  }

  @Test(arguments: ["+", "-", "*", "/"])
  func arithmetic(_ operation: String) throws {
    for vector in vectors(operation, 500) {
      let a = try decimal(vector[1])
      let b = try decimal(vector[2])
      let result =
        switch operation {
        case "+": a + b
        case "-": a - b
        case "*": a * b
        default: a / b
        }
      #expect(parts(result) == parts(try decimal(vector[3])), "\(vector[1]) \(operation) \(vector[2])")
    }
  }

  @Test func order() throws {
    for vector in vectors("<", 500) {
      let a = try decimal(vector[1])
      let b = try decimal(vector[2])
      let expected = try #require(Int(vector[3]))
      #expect(a.order(to: b) == expected, "\(vector[1]) to \(vector[2])")
      #expect(b.order(to: a) == -expected, "\(vector[2]) to \(vector[1])")
      #expect((a == b) == (expected == 0))
      if expected == 0 { #expect(a.hashValue == b.hashValue, "\(vector[1]) and \(vector[2])") }
    }
  }

  @Test func texts() throws {
    for vector in vectors("t", 100) { #expect(try decimal(vector[1]).description == vector[2]) }
  }

  @Test func binaryNumbers() throws {
    for vector in vectors("d", 100) {
      let bits = try #require(UInt64(vector[2], radix: 16))
      #expect(try decimal(vector[1]).double.bitPattern == bits, "\(vector[1])")
    }
    for vector in vectors("f", 50) {
      let double = Double(bitPattern: try #require(UInt64(vector[1], radix: 16)))
      #expect(parts(DecimalFloat(double)) == parts(try decimal(vector[2])), "\(double)")
    }
    #expect(DecimalFloat(Double.nan).isNaN && DecimalFloat(-Double.infinity).description == "-Inf")
    #expect(parts(DecimalFloat(-0.0)) == "- 0 0")
  }

  @Test func integers() throws {
    for vector in vectors("i", 100) {
      #expect(try decimal(vector[1]).truncated.map { "\($0)" } ?? "nil" == vector[2], "\(vector[1])")
    }
    for integer in [Int64.min, -1, 0, 1, .max] { #expect(DecimalFloat(integer).truncated == integer) }
    let tenToThe37 = UInt128(10_000_000_000_000_000_000) * 1_000_000_000_000_000_000
    #expect(DecimalFloat(exactly: tenToThe37).map { parts($0) } == "+ \(tenToThe37 / 10000) 4")
    #expect(DecimalFloat(exactly: tenToThe37 + 1) == nil)
    #expect(DecimalFloat(exactly: Int128.min) == nil)
    #expect(DecimalFloat(exactly: Int8.min)?.description == "-128")
  }

  /// Whatever 16 bytes hold, a number comes out, and goes back to an encoding of the same number.
  @Test func everyEncodingIsANumber() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = QueryRandom(seed)
    for _ in 0..<2000 {
      var high = random.next()
      // All forms of the combination field come up.
      if random.chance(50) { high |= 0x6000_0000_0000_0000 }
      let number = DecimalFloat(Bytes16(low: random.next(), high: high))
      let again = DecimalFloat(number.bits)
      #expect(parts(number) == parts(again), "seed \(seed)")
      #expect((number + number).order(to: number * DecimalFloat(2 as Int64)) == 0, "seed \(seed)")
      #expect(number == number.normalized, "seed \(seed)")
    }
  }

  /// One order for integers, floats, doubles and decimals: sorting a mixture is consistent.
  @Test func numbersOfAllKindsHaveOneOrder() {
    var values: [Value] = []
    for double in [0.1, 0.5, 1, 1e10, 0x1p53, 9.223372036854775e18, 1e300, 0, .leastNonzeroMagnitude, .infinity] {
      for value in [double.nextDown, double, double.nextUp] where !value.isNaN {
        for signed in [value, -value] {
          values.append(.double(signed))
          values.append(.decimal128(DecimalFloat(signed).bits))
          values.append(.float(Float(signed)))
          if let integer = Int64(exactly: signed.rounded()) { values += [.int(integer), .int(integer &+ 1)] }
        }
      }
    }
    values += [.double(.nan), .decimal128(DecimalFloat.nan.bits), .float(.nan)]
    let sorted = values.sorted { $0.order(to: $1) < 0 }
    var misplaced: [(Value, Value)] = []
    for (i, a) in sorted.enumerated() {
      for b in sorted[i...] where a.order(to: b) > 0 || b.order(to: a) < 0 { misplaced.append((a, b)) }
    }
    #expect(misplaced.isEmpty)
    #expect(Value.decimal128(DecimalFloat("0.1")!.bits).order(to: .double(0.1)) == 0)
  }
}
