import FirnDurability
import FirnEngine

extension SeededRandom {
  /// A chunk of random values of a random kind: constant, small, ascending or any.
  /// Elements of collections are never by dictionary.
  mutating func chunk(
    _ rowCount: Int, _ shape: SequenceShape, isNullable: Bool = false, areElements: Bool = false
  ) -> ColumnChunk {
    if let collection = shape.collection {
      let most = [0, 1, 5, 40][below(4)]
      let counts = (0..<rowCount).map { _ in UInt32(below(most + 1)) }
      let sum = counts.reduce(0) { $0 + Int($1) }
      let elements = chunk(sum, SequenceShape(shape.element), isNullable: isNullable, areElements: true)
      if collection == .map {
        return ColumnChunk(rowCount: rowCount, values: .maps(counts: counts, keys: names(sum), values: elements))
      }
      return ColumnChunk(rowCount: rowCount, values: .lists(counts: counts, elements: elements))
    }
    let nulls = isNullable && chance(80) ? nonZero(bits(rowCount)) : nil
    func isNull(_ row: Int) -> Bool { nulls.map { $0[row / 64] >> UInt64(row % 64) & 1 == 1 } ?? false }
    let values: ColumnValues
    switch shape.element {
    case .bits:
      values = .bits(zip(bits(rowCount), nulls ?? Array(repeating: 0, count: (rowCount + 63) / 64)).map { $0 & ~$1 })
    case .ints:
      let numbers = numbers(rowCount)
      values = .ints(numbers.enumerated().map { isNull($0) ? 0 : $1 })
    case .fixed(8):
      let doubles = doubles(rowCount)
      let bytes = doubles.enumerated().flatMap { row, value in
        withUnsafeBytes(of: isNull(row) ? 0 : value.bitPattern) { [UInt8]($0) }
      }
      values = .fixed(width: 8, bytes)
    case .fixed(let width):
      let mask: UInt8 = chance(50) ? 255 : 3
      values = .fixed(
        width: width,
        (0..<(rowCount * width)).map { isNull($0 / width) ? 0 : UInt8.random(in: 0...255, using: &self) & mask })
    case .bytes:
      if !isNullable, !areElements, chance(20) {
        return ColumnChunk(rowCount: rowCount, values: .dictionary(places(rowCount)))
      }
      let longest = [0, 3, 24, 300][below(4)]
      var strings = ByteStrings()
      for row in 0..<rowCount {
        let length = isNull(row) ? 0 : below(longest + 1)
        strings.lengths.append(UInt32(length))
        for _ in 0..<length { strings.bytes.append(UInt8(97 + below(longest < 100 ? 4 : 26))) }
      }
      values = .bytes(strings)
    }
    return ColumnChunk(rowCount: rowCount, nulls: nulls, values: values)
  }

  private func nonZero(_ words: [UInt64]) -> [UInt64]? { words.contains { $0 != 0 } ? words : nil }

  private mutating func names(_ count: Int) -> ByteStrings {
    var strings = ByteStrings()
    for _ in 0..<count {
      let name = Array("key \(below(1_000_000))".utf8)
      strings.lengths.append(UInt32(name.count))
      strings.bytes += name
    }
    return strings
  }

  private mutating func places(_ count: Int) -> [UInt32] {
    let most = [1, 1_000, Int(UInt32.max) + 1][below(3)]
    return (0..<count).map { _ in UInt32(below(most)) }
  }

  private mutating func bits(_ count: Int) -> [UInt64] {
    let percent = [0, 2, 50, 100][below(4)]
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for row in 0..<count where chance(percent) { words[row / 64] |= 1 << UInt64(row % 64) }
    return words
  }

  private mutating func numbers(_ count: Int) -> [Int64] {
    switch below(6) {
    case 0: return Array(repeating: Int64(truncatingIfNeeded: next()), count: count)
    case 1: return (0..<count).map { _ in Int64.random(in: .min ... .max, using: &self) }
    case 2:
      let base = Int64.random(in: -1_000_000...1_000_000, using: &self)
      return (0..<count).map { _ in base + Int64(below(200)) }
    case 3:
      var value = Int64.random(in: -1_000_000...1_000_000, using: &self)
      let step = 1 + below(1_000)
      return (0..<count).map { _ in
        value += Int64(below(step))
        return value
      }
    case 4:
      let width = UInt64(1 + below(63))
      return (0..<count).map { _ in Int64(bitPattern: next() >> width) }
    default: return (0..<count).map { _ in chance(50) ? .min : .max }.sorted()
    }
  }

  private mutating func doubles(_ count: Int) -> [Double] {
    switch below(6) {
    case 0: return (0..<count).map { _ in Double(below(100_000)) }
    case 1: return (0..<count).map { _ in Double(below(100_000)) / 1_000 }
    case 2: return (0..<count).map { _ in Double(below(1_000_000)) / 1_000_000 - 0.5 }
    case 3: return (0..<count).map { _ in Double.random(in: -1...1, using: &self) }
    case 4:
      let odd: [Double] = [.nan, -.nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, 1e300, 0.1 + 0.2]
      return (0..<count).map { _ in odd[below(odd.count)] }
    default: return (0..<count).map { _ in Double(bitPattern: next()) }
    }
  }
}
