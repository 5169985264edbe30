/// Aggregates over elements one by one. Nil and NaN are skipped.
enum ElementAggregates {
  /// The first element that all others follow; nil when there is none.
  static func first<Elements: Sequence>(
    of elements: Elements, by precedes: (Elements.Element, Elements.Element) -> Bool
  ) -> Elements.Element? where Elements.Element: MinMaxType {
    var best: Elements.Element?
    for element in elements where element._isComparable {
      guard let current = best else {
        best = element
        continue
      }
      if precedes(element, current) { best = element }
    }
    return best
  }

  static func min<Elements: Sequence>(of elements: Elements) -> Elements.Element?
  where Elements.Element: MinMaxType { first(of: elements) { Elements.Element._precedes($0, $1) } }

  static func max<Elements: Sequence>(of elements: Elements) -> Elements.Element?
  where Elements.Element: MinMaxType { first(of: elements) { Elements.Element._precedes($1, $0) } }

  static func average<Elements: Sequence, T: AddableType>(of elements: Elements) -> T?
  where Elements.Element: AddableType {
    Elements.Element._average(elements).flatMap { T._result($0) }
  }
}
