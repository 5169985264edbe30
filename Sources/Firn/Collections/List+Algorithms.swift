internal import FirnEngine

extension List {
  /// Calls a block with the elements in memory, then puts them into the list in the order in which the block left them;
  /// the algorithms of the standard library that change a collection use it: `sort`, `partition` and those of slices.
  ///
  /// Elements that the block only moves stay what they are, also embedded objects and collections in mixed values. When
  /// the block throws, the list keeps its order.
  ///
  /// - Complexity: O(n log n) besides the block's.
  public func withContiguousMutableStorageIfAvailable<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    let old = _array
    var new = old
    let result = try new.withUnsafeMutableBufferPointer(body)
    if _context == nil {
      _elements = new
    } else if Element.self == AnyRealmValue.self || (Element.self is ObjectBase.Type && _target?.layout.isOwned == true)
    {
      reorder(old, as: new)
    } else {
      for index in new.indices { replace(index: index, object: new[index]) }
    }
    return result
  }

  /// Moves the elements that are there, and replaces those that are not among the new ones.
  private func reorder(_ old: [Element], as new: [Element]) {
    var places: [ElementIdentity: [Int]] = [:]
    for (place, element) in old.enumerated().reversed() { places[ElementIdentity(element), default: []].append(place) }
    var origins = new.map { places[ElementIdentity($0)]?.popLast() }
    // Elements that are new take the places of those that are gone.
    var free = places.values.joined().sorted(by: >)
    var replaced: [Int] = []
    for place in origins.indices where origins[place] == nil {
      origins[place] = free.popLast()
      replaced.append(place)
    }
    var order = RemainingOrder(count: old.count)
    for (place, origin) in origins.enumerated() {
      guard let origin else { continue }
      // All that were placed lie in front, and the others are in their old order.
      let current = place + order.remove(origin)
      if current != place { move(from: current, to: place) }
    }
    for place in replaced { replace(index: place, object: new[place]) }
  }
}

/// A list whose slices exchange elements as the list does; not to be conformed to.
public protocol _SwappingList: MutableCollection, RandomAccessCollection where Index == Int {}

extension List: _SwappingList {}

// The slices of the standard library exchange elements by setting one after the other, which an embedded object does
// not survive.
extension Slice where Base: _SwappingList {
  /// Exchanges two elements, which stay what they are.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    var list = base
    list.swapAt(first, second)
  }

  /// Reverses the elements, which stay what they are.
  public mutating func reverse() {
    var (low, high) = (startIndex, endIndex - 1)
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Puts the elements into a random order. They stay what they are.
  public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Puts the elements into a random order. They stay what they are.
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    for place in indices.dropLast() { swapAt(place, Int.random(in: place..<endIndex, using: &generator)) }
  }
}

/// By which an element is found again among those that were read together with it.
private enum ElementIdentity: Hashable {
  case instance(ObjectIdentifier)
  /// Equal bits stand for each other.
  case value(Value, isNegativeZero: Bool)

  init(_ element: some RealmCollectionValue) {
    switch element as? AnyRealmValue {
    case .list(let list)?: self = .instance(ObjectIdentifier(list))
    case .dictionary(let map)?: self = .instance(ObjectIdentifier(map))
    case .object(let object)?: self = .instance(ObjectIdentifier(object))
    case let mixed?:
      let value = mixed.scalar
      self = .value(value, isNegativeZero: Self.isNegativeZero(value))
    case nil: self = .instance(ObjectIdentifier(element as AnyObject))
    }
  }

  private static func isNegativeZero(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number == 0 && number.sign == .minus
    case .float(let number): number == 0 && number.sign == .minus
    default: false
    }
  }
}

/// Counts how many of some places lie before one and were not removed: a Fenwick tree.
private struct RemainingOrder {
  private var counts: [Int]

  init(count: Int) { counts = (0...count).map { $0 & -$0 } }

  /// Removes a place: how many remaining ones lie before it.
  mutating func remove(_ place: Int) -> Int {
    var before = 0
    var index = place
    while index > 0 {
      before += counts[index]
      index -= index & -index
    }
    index = place + 1
    while index < counts.count {
      counts[index] -= 1
      index += index & -index
    }
    return before
  }
}
