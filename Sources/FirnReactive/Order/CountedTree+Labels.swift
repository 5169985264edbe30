import FirnEngine

/// What a tree keeps of an element of a sequence.
protocol LabelledEntry: BitwiseCopyable {
  var key: UInt64 { get set }
}

extension OrderEntry: LabelledEntry {}

extension UInt64: LabelledEntry {
  var key: UInt64 {
    get { self }
    set { self = newValue }
  }
}

extension CountedTree where Element: LabelledEntry {
  /// Finds those of some elements of a sequence that the tree has. Returns what gives them other labels, in the same order.
  ///
  /// - Parameter rank: The place of the element with a label.
  func relabelling(
    _ elements: [ElementSequence.Element], rank: (RowKey) -> Int
  ) -> (_ labels: [UInt64]) -> Void {
    let places = elements.map { element -> Int? in
      let place = rank(RowKey(element.label))
      return place < count && select(place).key == element.label ? place : nil
    }
    return { labels in
      for (place, label) in zip(places, labels) {
        guard let place else { continue }
        var entry = self.select(place)
        entry.key = label
        self.remove(at: place)
        self.insert(entry, at: place)
      }
    }
  }
}
