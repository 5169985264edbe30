/// A place before or after all rows with a value, in the order of one path of an ordered index.
struct OrderedCut {
  var value: OrderedValue
  var isAfter: Bool

  static var lowest: OrderedCut { before(OrderedValue(.null)) }
  static var highest: OrderedCut { after(OrderedValue(.missing)) }

  static func before(_ value: OrderedValue) -> OrderedCut { OrderedCut(value: value, isAfter: false) }
  static func after(_ value: OrderedValue) -> OrderedCut { OrderedCut(value: value, isAfter: true) }

  /// Negative, zero or positive as it lies before, at or after another.
  func order(to other: OrderedCut, _ type: ColumnType) -> Int {
    let order = value.order(to: other.value, type)
    return order != 0 ? order : (isAfter ? 1 : 0) - (other.isAfter ? 1 : 0)
  }
}

/// The values of one path that may fulfil a condition: ascending ranges with gaps between them.
struct OrderedIntervals {
  struct Interval {
    var lower: OrderedCut
    var upper: OrderedCut
    /// Whether all rows with these values fulfil the condition, also where that is not so of others.
    var isExact = false
  }

  private(set) var intervals: [Interval]
  /// Whether all rows with these values fulfil the condition.
  private(set) var isExact: Bool
  let type: ColumnType

  /// - Parameter intervals: In any order; they may overlap.
  init(_ intervals: [Interval], isExact: Bool, _ type: ColumnType) {
    self.type = type
    self.isExact = isExact
    var merged: [Interval] = []
    for next in intervals.sorted(by: { $0.lower.order(to: $1.lower, type) < 0 }) {
      if next.lower.order(to: next.upper, type) >= 0 { continue }
      guard let last = merged.last, next.lower.order(to: last.upper, type) <= 0 else {
        merged.append(next)
        continue
      }
      if last.upper.order(to: next.upper, type) < 0 { merged[merged.count - 1].upper = next.upper }
      merged[merged.count - 1].isExact = last.isExact && next.isExact
    }
    self.intervals = merged
  }

  static func everything(_ type: ColumnType) -> OrderedIntervals {
    OrderedIntervals([Interval(lower: .lowest, upper: .highest)], isExact: true, type)
  }

  /// The single values, if there are no others.
  var points: [OrderedValue]? {
    for interval in intervals {
      if interval.lower.isAfter || !interval.upper.isAfter { return nil }
      if interval.lower.value.order(to: interval.upper.value, type) != 0 { return nil }
    }
    return intervals.map(\.lower.value)
  }

  /// The values of both.
  func intersection(_ other: OrderedIntervals) -> OrderedIntervals {
    var common: [Interval] = []
    var (mine, others) = (intervals[...], other.intervals[...])
    while let a = mine.first, let b = others.first {
      let lower = a.lower.order(to: b.lower, type) > 0 ? a.lower : b.lower
      let isFirstToEnd = a.upper.order(to: b.upper, type) < 0
      common.append(Interval(lower: lower, upper: isFirstToEnd ? a.upper : b.upper))
      if isFirstToEnd { mine.removeFirst() } else { others.removeFirst() }
    }
    return OrderedIntervals(common, isExact: isExact && other.isExact, type)
  }

  /// The values of one of them or of both.
  func union(_ other: OrderedIntervals) -> OrderedIntervals {
    OrderedIntervals(intervals + other.intervals, isExact: isExact && other.isExact, type)
  }

  /// The values that all of some have in common; nil of none.
  ///
  /// - Complexity: O(n log² n) for n intervals.
  static func intersection(of all: [OrderedIntervals]) -> OrderedIntervals? {
    var all = all
    // In pairs: one after the other, a long chain would be copied as often as it has parts.
    while all.count > 1 {
      all = stride(from: 0, to: all.count, by: 2).map { place in
        place + 1 < all.count ? all[place].intersection(all[place + 1]) : all[place]
      }
    }
    return all.first
  }

  /// The values of any of some, of which there is at least one.
  ///
  /// - Complexity: O(n log n) for n intervals.
  static func union(of all: [OrderedIntervals]) -> OrderedIntervals {
    OrderedIntervals(all.flatMap(\.intervals), isExact: all.allSatisfy(\.isExact), all[0].type)
  }

  /// The values that are not among these, of which every one fulfils the condition.
  var complement: OrderedIntervals? {
    guard isExact else { return nil }
    var gaps: [Interval] = []
    var start = OrderedCut.lowest
    for interval in intervals {
      gaps.append(Interval(lower: start, upper: interval.lower))
      start = interval.upper
    }
    gaps.append(Interval(lower: start, upper: .highest))
    return OrderedIntervals(gaps, isExact: true, type)
  }
}
