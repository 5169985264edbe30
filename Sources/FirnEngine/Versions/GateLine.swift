/// Those who wait for something, in order of arrival; anybody may go at any time.
///
/// The places of those who are gone are taken out when they are the most, so one who stands at the front for long costs the
/// others nothing.
package struct GateLine<Element> {
  fileprivate struct Place {
    let number: UInt64
    /// Nil who is gone.
    var element: Element?
  }

  /// By number.
  private var places: [Place] = []
  /// Everybody before is gone.
  private var front = 0
  package private(set) var count = 0

  package init() {}

  /// The one who came first of those who wait.
  package var first: (number: UInt64, element: Element)? {
    guard count > 0 else { return nil }
    return (places[front].number, places[front].element.unsafelyUnwrapped)
  }

  /// The elements in order of arrival.
  var elements: [Element] { places[front...].compactMap(\.element) }

  /// How many places are kept, those of who is gone included.
  var placeCount: Int { places.count }

  /// - Parameter number: More than all before.
  package mutating func append(_ element: Element, _ number: UInt64) {
    places.append(Place(number: number, element: element))
    count += 1
  }

  /// The element with a number; nil when it is gone, or never came. Setting changes one that is there.
  ///
  /// - Complexity: O(log n); O(1) for the first.
  package subscript(number: UInt64) -> Element? {
    get { index(of: number).flatMap { places[$0].element } }
    set { if let index = index(of: number) { places[index].element = newValue } }
  }

  /// - Complexity: O(log n); O(1) for the first. Amortised.
  package mutating func remove(_ number: UInt64) {
    guard let index = index(of: number) else { return }
    places[index].element = nil
    count -= 1
    while front < places.count, places[front].element == nil { front += 1 }
    // As many have gone since the last time as are moved or dropped now.
    if count == 0 || places.count > 2 * count + 64 {
      places.removeAll { $0.element == nil }
      front = 0
    }
  }

  private func index(of number: UInt64) -> Int? {
    var (low, high) = (front, places.count)
    if low < high, places[low].number == number { return low }
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].number == number && places[low].element != nil ? low : nil
  }
}

extension GateLine: Sendable where Element: Sendable {}
extension GateLine.Place: Sendable where Element: Sendable {}
