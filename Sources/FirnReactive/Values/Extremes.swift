import FirnEngine

/// The values of groups in their order, of which the ends are asked for. Values are neither null nor NaN.
protocol Extremes: AnyObject {
  func add(_ value: Value, to group: Int)
  func remove(_ value: Value, from group: Int)
  /// Null of an empty group.
  func least(of group: Int) -> Value
  func greatest(of group: Int) -> Value
}

/// Values that have a number in their order: a counted tree of the different values of each group.
///
/// - Complexity: O(log n) for n different values.
final class CodedExtremes<Code: FixedWidthInteger & BitwiseCopyable>: Extremes {
  struct Entry: BitwiseCopyable {
    var group: UInt32
    /// How often the value occurs.
    var count: UInt32
    var code: Code
  }

  private let code: (Value) -> Code
  private let value: (Code) -> Value
  private let tree = CountedTree<Entry>()

  /// - Parameters:
  ///   - code: Ascends with the values.
  ///   - value: The value with a code.
  init(code: @escaping (Value) -> Code, value: @escaping (Code) -> Value) {
    self.code = code
    self.value = value
  }

  func add(_ value: Value, to group: Int) {
    let (code, place) = find(value, group)
    if let entry = entry(at: place, code, group) {
      tree.replace(at: place, with: Entry(group: entry.group, count: entry.count + 1, code: code))
    } else {
      tree.insert(Entry(group: UInt32(group), count: 1, code: code), at: place)
    }
  }

  func remove(_ value: Value, from group: Int) {
    let (code, place) = find(value, group)
    guard let entry = entry(at: place, code, group) else { fatalError("A group does not have a value that leaves it.") }
    if entry.count > 1 {
      tree.replace(at: place, with: Entry(group: entry.group, count: entry.count - 1, code: code))
    } else {
      tree.remove(at: place)
    }
  }

  func least(of group: Int) -> Value { value(at: start(of: group), of: group) }

  func greatest(of group: Int) -> Value { value(at: start(of: group + 1) - 1, of: group) }

  private func find(_ value: Value, _ group: Int) -> (code: Code, place: Int) {
    let code = code(value)
    let group = UInt32(group)
    return (code, tree.rank { $0.group != group ? $0.group < group : $0.code < code })
  }

  private func start(of group: Int) -> Int { tree.rank { $0.group < group } }

  private func entry(at place: Int, _ code: Code, _ group: Int) -> Entry? {
    guard place < tree.count else { return nil }
    let entry = tree.select(place)
    return entry.group == group && entry.code == code ? entry : nil
  }

  private func value(at place: Int, of group: Int) -> Value {
    guard place >= 0, place < tree.count else { return .null }
    let entry = tree.select(place)
    return entry.group == group ? value(entry.code) : .null
  }

  /// Starts with the codes of many values and their groups, in any order. O(n), for decimals O(n log n).
  func rebuild(_ codes: [Code], _ groups: [UInt32], groupCount: Int) {
    var starts = Array(repeating: 0, count: groupCount + 1)
    for group in groups { starts[Int(group) + 1] += 1 }
    for group in 0..<groupCount { starts[group + 1] += starts[group] }
    var places = starts
    var sorted = Array(repeating: Code.zero, count: codes.count)
    var spare = sorted
    var entries: [Entry] = []
    sorted.withUnsafeMutableBufferPointer { sorted in
      for (index, group) in groups.enumerated() {
        sorted[places[Int(group)]] = codes[index]
        places[Int(group)] += 1
      }
      for group in 0..<groupCount {
        Self.sort(sorted, &spare, starts[group]..<starts[group + 1])
        var index = starts[group]
        while index < starts[group + 1] {
          let code = sorted[index]
          let first = index
          while index < starts[group + 1], sorted[index] == code { index += 1 }
          entries.append(Entry(group: UInt32(group), count: UInt32(index - first), code: code))
        }
      }
    }
    tree.rebuild(entries)
  }

  private static func sort(_ codes: UnsafeMutableBufferPointer<Code>, _ spare: inout [Code], _ range: Range<Int>) {
    guard Code.self == UInt64.self else { return codes[range].sort() }
    spare.withUnsafeMutableBufferPointer { spare in
      codes.withMemoryRebound(to: UInt64.self) { codes in
        spare.withMemoryRebound(to: UInt64.self) { spare in
          RadixSort.sort(
            UnsafeMutableBufferPointer(rebasing: codes[range]),
            using: UnsafeMutableBufferPointer(rebasing: spare[range]))
        }
      }
    }
  }

  func checkInvariants() { tree.checkInvariants { $0.group == $1.group && $0.code == $1.code } }
}

extension CodedExtremes<UInt64> {
  /// Integers, Floats, Doubles or dates.
  convenience init(_ type: ColumnType) {
    self.init {
      SortCode($0).rawValue
    } value: { code in
      if type == .int { return .int(Int64(bitPattern: code ^ 1 << 63)) }
      let double = Double(bitPattern: code >> 63 != 0 ? code & ~(1 << 63) : ~code)
      return switch type {
      case .float: .float(Float(double))
      case .date: .date(double)
      default: .double(double)
      }
    }
  }
}

extension CodedExtremes<UInt128> {
  static func decimals() -> CodedExtremes {
    CodedExtremes { value in
      guard case .decimal128(let bits) = value else { fatalError("A column of decimals holds something else.") }
      return DecimalFloat(bits).orderCode
    } value: {
      .decimal128(DecimalFloat(orderCode: $0).bits)
    }
  }
}

/// Values of all kinds: a tree of the different values of each group. Equal numbers of several kinds, of which there are few
/// forms, have a place each.
///
/// - Complexity: O(log n) for n different values.
final class MixedExtremes: Extremes {
  private struct Entry: BitwiseCopyable {
    var group: UInt32
    var number: UInt32
  }

  // By the number of an entry.
  private var values: [Value] = []
  private var counts: [UInt32] = []
  private var freeNumbers: [UInt32] = []
  private let tree = CountedTree<Entry>()

  func add(_ value: Value, to group: Int) {
    let place = find(value, UInt32(group))
    if let number = place.number {
      counts[number] += 1
      return
    }
    let number = freeNumbers.popLast() ?? UInt32(values.count)
    if Int(number) == values.count {
      values.append(value)
      counts.append(1)
    } else {
      values[Int(number)] = value
      counts[Int(number)] = 1
    }
    tree.insert(Entry(group: UInt32(group), number: number), at: place.rank)
  }

  func remove(_ value: Value, from group: Int) {
    let place = find(value, UInt32(group))
    guard let number = place.number else { fatalError("A group does not have a value that leaves it.") }
    counts[number] -= 1
    if counts[number] > 0 { return }
    tree.remove(at: place.rank)
    values[number] = .null
    freeNumbers.append(UInt32(number))
  }

  func least(of group: Int) -> Value { value(at: start(of: group), of: group) }

  func greatest(of group: Int) -> Value { value(at: start(of: group + 1) - 1, of: group) }

  /// Where a value is or would be: behind those that are equal in the order, but not the same.
  private func find(_ value: Value, _ group: UInt32) -> (rank: Int, number: Int?) {
    var rank = tree.rank { entry in
      entry.group != group ? entry.group < group : values[Int(entry.number)].order(to: value) < 0
    }
    while rank < tree.count {
      let entry = tree.select(rank)
      let known = values[Int(entry.number)]
      if entry.group != group || known.order(to: value) != 0 { break }
      if known == value { return (rank, Int(entry.number)) }
      rank += 1
    }
    return (rank, nil)
  }

  private func start(of group: Int) -> Int { tree.rank { $0.group < group } }

  private func value(at place: Int, of group: Int) -> Value {
    guard place >= 0, place < tree.count else { return .null }
    let entry = tree.select(place)
    return entry.group == group ? values[Int(entry.number)] : .null
  }
}
