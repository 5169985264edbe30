import Firn
import Foundation
import Testing

final class ValPrice: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var net: Decimal128
  @Persisted var gross: Decimal128?
  @Persisted var rate: Decimal128 = 1.25
  @Persisted var parts: List<Decimal128>
  @Persisted var gaps: List<Decimal128?>
  @Persisted var distinct: MutableSet<Decimal128>
  @Persisted var named: Map<String, Decimal128?>
}

/// Section 13. What arithmetic gives is tested against vectors with the engine.
@Suite struct Decimal128RuleTests {
  @Test func makingDecimals() throws {
    #expect(Decimal128() == 0 && Decimal128.zero == Decimal128())
    let forms: [(Any, String)] = [
      (Int8(-5), "-5"), (UInt64.max, "18446744073709551615"), (0.1, "0.1"), (Float(0.1), "0.1"),
      (Decimal(string: "12.340")!, "12.34"), (NSNumber(value: 2.5), "2.5"), (NSNumber(value: 7), "7"),
      (NSDecimalNumber(string: "1.1"), "1.1"), ("1e3", "1E3"), ("nonsense", "NaN"), (NSNull(), "NaN"),
      (Decimal128(4), "4"), (true, "1"), (false, "0"), (Optional(3) as Any, "3"), (Double.infinity, "Inf"),
      (-Float.infinity, "-Inf"),
    ]
    for (value, text) in forms { #expect(Decimal128(value: value).stringValue == text, "\(value)") }
    #expect(Decimal128(number: NSNumber(value: Int64.min)).stringValue == "-9223372036854775808")
    #expect(Decimal128(number: NSNumber(value: UInt64.max)).stringValue == "18446744073709551615")
    #expect(try Decimal128(string: "-1.5E-3") == -0.0015)
    #expect(try Decimal128(string: "x").isNaN)
    for text in ["inf", "+Infinity", "INF"] { #expect(try Decimal128(string: text).stringValue == "Inf") }
    #expect(Decimal128(value: UInt128.max).stringValue == "3.402823669209384634633746074317682E+38", "34 digits")
    #expect(Decimal128(value: Int128.min) == Decimal128(value: -Int128.max), "equal once they are rounded")
    #expect(Decimal128(exactly: UInt8(200)) == 200)
    #expect(Decimal128(exactly: UInt128.max) == nil)
    let literals: [Decimal128] = [3, 0.75, "12.5"]
    #expect(literals.map(\.description) == ["3", "0.75", "12.5"])
    #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E+6144")
    #expect(Decimal128.min.stringValue == "-9.999999999999999999999999999999999E+6144")
  }

  @Test func makingOneOfSomethingElseTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Decimal128(value: Date())
    }
    #expect(trapSaid("Cannot convert value", result) && trapSaid("of type 'Date' to Decimal128", result))
  }

  /// Code that is generic over what the protocols promise.
  @Test func conformances() {
    func product<Number: Numeric>(_ numbers: [Number]) -> Number { numbers.reduce(1, *) }
    func span<Number: Comparable & AdditiveArithmetic>(_ numbers: [Number]) -> Number {
      guard let least = numbers.min(), let most = numbers.max() else { return .zero }
      return most - least
    }
    func text<Number: CustomStringConvertible & Hashable & Codable & Sendable>(_ number: Number) -> String {
      number.description
    }
    let numbers: [Decimal128] = [2.5, -1, "4"]
    #expect(product(numbers) == -10 && span(numbers) == 5 && span([Decimal128]()) == 0 && text(numbers[0]) == "2.5")
    let magnitude: Decimal128.Magnitude = numbers[1].magnitude
    let stride: Decimal128.Stride = numbers[0].distance(to: numbers[2])
    #expect(magnitude == 1 && stride == 1.5)
  }

  @Test func arithmetic() {
    var value: Decimal128 = 10
    value += 0.5
    value -= 3
    value *= 2
    #expect(value == 15 && value / 4 == 3.75 && -1 * value == "-15")
    #expect(Decimal128(1) / 3 == "0.3333333333333333333333333333333333")
    #expect((Decimal128(1) / 0).stringValue == "Inf" && (Decimal128(-1) / 0).stringValue == "-Inf")
    #expect((Decimal128(0) / 0).isNaN)
    let nan = Decimal128(value: NSNull())
    for result in [nan + 1, nan - 1, nan * 2, nan / 2] { #expect(result.isNaN) }
    #expect(nan.isSignaling && nan.isSignalingNaN && !value.isSignaling && !value.isSignalingNaN)
    #expect(Decimal128.max + Decimal128.max == "Infinity")
    let digits: Decimal128 = "-1234567890123456789012345678901234"
    #expect(digits.magnitude == "1234567890123456789012345678901234")
    let same = digits
    digits.negate()
    #expect(same.stringValue == "1234567890123456789012345678901234")
    nan.negate()
    #expect(nan.isNaN)
    #expect(value.distance(to: 20) == 5 && value.advanced(by: -1) == 14)
    #expect((1...4).map { Decimal128(value: $0) }.reduce(0, +) == 10)
  }

  @Test func orderAndHashing() {
    let nan = Decimal128(value: NSNull())
    let ascending: [Decimal128] = [nan, "-inf", .min, -1, "-1e-6176", 0, "1e-6176", 1, 1.5, .max, "inf"]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect((a < b) == (i < j) && (a == b) == (i == j) && (a <= b) == (i <= j) && (a >= b) == (i >= j))
        #expect((a > b) == (i > j) && (a != b) == (i != j))
      }
    }
    let equal: [Decimal128] = ["100", "1E+2", "100.00", "1.0E2"]
    #expect(Set(equal).count == 1)
    #expect(Decimal128("0") == Decimal128("-0.00") && Set<Decimal128>(["0", "-0.00"]).count == 1)
    #expect(nan == Decimal128(value: NSNull()))
  }

  @Test func otherForms() throws {
    for (text, shown) in [
      ("1.500", "1.5"), ("100", "100"), ("100.0", "100"), ("-0.0010", "-0.001"), ("0.000001", "0.000001"),
      ("0.0000001", "1E-7"), ("1.23E6", "1.23E6"), ("1.5E2", "1.5E2"), ("-0", "-0"), ("nan", "NaN"),
    ] { #expect(try Decimal128(string: text).stringValue == shown) }
    #expect(Decimal128("0.1").doubleValue == 0.1 && Decimal128.max.doubleValue == .infinity)
    #expect(Decimal128("-12.34").decimalValue == Decimal(string: "-12.34"))
    #expect(
      Decimal128("1234567890123456789012345678901234").decimalValue.description == "1234567890123456789012345678901234")
    #expect(Decimal128("1E120").decimalValue.description == "1" + String(repeating: "0", count: 120))
    #expect(Decimal128("1E130").decimalValue.isNaN)
    #expect(Decimal128("2.5E-129").decimalValue == Decimal(sign: .plus, exponent: -128, significand: 0))
    #expect(Decimal128("1.5E-127").decimalValue == Decimal(sign: .plus, exponent: -128, significand: 15))
    #expect(Decimal128("1E-200").decimalValue == 0)
    #expect(Decimal128.max.decimalValue.isNaN && Decimal128("inf").decimalValue.isNaN)
  }

  @Test func coding() throws {
    let encoded = try JSONEncoder().encode([Decimal128("1.50"), Decimal128("1e40")])
    #expect(String(decoding: encoded, as: UTF8.self) == #"["1.5","1E40"]"#)
    let decoded = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.50", 3, -2.25, "inf"]"#.utf8))
    #expect(decoded == [1.5, 3, -2.25, "inf"])
    let large = try JSONDecoder().decode([Decimal128].self, from: Data("[18446744073709551615]".utf8))
    #expect(large == ["18446744073709551615"], "integers beyond Int64 keep their digits")
    for json in [#"["x"]"#, "[true]", "[null]", "[[]]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: Data(json.utf8)) }
    }
  }

  @Test func storedDecimals() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValPrice.self]))
    let price = ValPrice()
    #expect(price.net == 0 && price.gross == nil && price.rate == 1.25)
    price.net = "19.90"
    price.parts.append(objectsIn: [1.1, "nan", 2.2])
    try realm.write { realm.add(price) }
    #expect(price.net == 19.9 && price.gross == nil && price.rate == 1.25)
    #expect(Array(price.parts) == [1.1, Decimal128("nan"), 2.2])
    try realm.write {
      price.net *= 2
      price.gross = "-0.5"
      price.gaps.append(objectsIn: [nil, 4])
      price.parts[0] = 5
    }
    #expect(price.net == 39.8 && price.gross == -0.5 && Array(price.gaps) == [nil, 4] && price.parts[0] == 5)
    #expect(price.parts.sum() == 7.2 && price.parts.min() == 2.2 && price.parts.max() == 5)
    #expect(price.parts.average() as Decimal128? == 3.6 && price.parts.average() as Double? == 3.6)
    #expect(price.gaps.average() as Decimal128? == 4 && price.gaps.sum() == 4)
    try realm.write { price.gross = nil }
    #expect(price.gross == nil)
    #expect(price.description.contains("net = 39.8;") && price.description.contains("gross = (null);"))
    try realm.write {
      for (id, input) in ([7, 2.5, Float(0.1), "3.25", Decimal(4), UInt8(9)] as [Any]).enumerated() {
        realm.create(ValPrice.self, value: ["id": id + 1, "net": input, "parts": [input, 1]] as [String: Any])
      }
    }
    let prices = realm.objects(ValPrice.self)
    #expect(prices.sorted(by: \.id).map { "\($0.net)" } == ["39.8", "7", "2.5", "0.1", "3.25", "4", "9"])
    #expect(ValPrice(value: ["net": "1.5", "gross": 2] as [String: Any]).net == 1.5)
    #expect(price["net"] as? Decimal128 == 39.8)
    price.realm?.beginWrite()
    price["net"] = 12
    try realm.commitWrite()
    #expect(price.net == 12)
  }

  @Test func setsAndMapsOfDecimals() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValPrice.self]))
    let price = ValPrice()
    price.distinct.insert(objectsIn: ["1.0", "1.00", 2])
    price.named["a"] = "1.50"
    #expect(price.distinct.count == 2 && price.distinct.contains("1.000"), "unmanaged")
    try realm.write {
      realm.add(price)
      price.distinct.insert(objectsIn: ["2.0", "nan", "nan", "-inf", "0.5", "-0", "0"])
      price.named["b"] = .some(nil)
      price.named["c"] = "1E+3"
    }
    let expected: [Decimal128] = ["nan", "-inf", 0, 0.5, 1, 2]
    #expect(Array(price.distinct) == expected, "equal numbers count once; NaN is below all")
    #expect(price.distinct.contains("2.000") && price.distinct.contains("nan") && !price.distinct.contains(3))
    #expect(price.distinct.max() == 2 && price.named.max() == 1000 && price.named.sum() == 1001.5)
    #expect(price.named["a"] == .some(1.5) && price.named["b"] == .some(nil) && price.named["x"] == .none)
    try realm.write { price.distinct.remove("1.0") }
    #expect(!price.distinct.contains(1))
  }

  @Test func queriesSortingAndAggregates() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValPrice.self]))
    let nets: [Decimal128] = ["10.0", "9.99", "-3", "1E+1", "0.1", "nan"]
    try realm.write {
      for (id, net) in nets.enumerated() {
        realm.create(ValPrice.self, value: ["id": id, "net": net, "gross": id % 2 == 0 ? net : nil] as [String: Any?])
      }
    }
    let prices = realm.objects(ValPrice.self)
    #expect(prices.where { $0.net == 10 }.map(\.id) == [0, 3])
    #expect(prices.where { $0.net != 10 }.count == 4)
    #expect(prices.where { $0.net > 0.1 && $0.net <= 10 }.map(\.id) == [0, 1, 3])
    #expect(prices.where { $0.net.contains(0.1..<10) }.map(\.id) == [1, 4])
    #expect(prices.where { $0.net.in([-3, 0.1]) }.map(\.id) == [2, 4])
    #expect(prices.where { $0.gross == nil }.map(\.id) == [1, 3, 5])
    #expect(prices.where { $0.gross >= 0.1 }.map(\.id) == [0, 4])
    #expect(prices.sorted(by: \.net).map(\.id) == [5, 2, 4, 1, 0, 3])
    #expect(prices.sorted(by: \.gross, ascending: false).map(\.id) == [0, 4, 2, 1, 3, 5])
    #expect(prices.sum(of: \.net) == 27.09)
    #expect(prices.average(of: \.net) == 5.418)
    #expect(prices.average(ofProperty: "net") as Double? == 5.418)
    #expect(prices.min(of: \.net) == -3 && prices.max(of: \.net) == 10)
    #expect(prices.sum(of: \.gross) == 7.1 && prices.where { $0.id > 9 }.sum(of: \.net) == 0)
    #expect(prices.where { $0.id > 9 }.min(of: \.net) == nil && prices.where { $0.id > 9 }.average(of: \.net) == nil)
    #expect(prices.where { $0.id < 2 }.sum(ofProperty: "net") as Int16 == 19)
    #expect(prices.where { $0.id < 3 }.max(ofProperty: "net") as Decimal128? == 10)
    #expect((prices.value(forKey: "net") as? [Any])?.first as? Decimal128 == 10)
  }

  @Test func decimalsSurviveReopening() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("prices.firn"), objectTypes: [ValPrice.self])
    let values: [Decimal128] = [.max, .min, "1E-6176", "-0", "nan", "-inf", "1234567890123456789012345678901234E-20"]
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for (id, value) in values.enumerated() {
          realm.create(ValPrice.self, value: ["id": id, "net": value, "parts": values] as [String: Any])
        }
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(ValPrice.self).map { $0.net.stringValue } == values.map(\.stringValue))
    #expect(realm.objects(ValPrice.self).first?.parts.map(\.stringValue) == values.map(\.stringValue))
  }
}
