/// The elements of a set that no realm manages: in the order in which they were inserted, each once.
///
/// Removing leaves a hole, so that it costs no more than finding; holes are closed when they are more than the elements.
@usableFromInline
struct UnmanagedSet<Element: RealmCollectionValue> {
  private var slots: [Element?] = []
  private var places: [Member: Int] = [:]

  /// An element that equals another as sets see it: texts by their bytes, NaN equals itself.
  private struct Member: Hashable {
    let element: Element

    static func == (lhs: Member, rhs: Member) -> Bool {
      if Element._isLinkElement { return lhs.element == rhs.element }
      // Mixed values may be objects without primary key, whose accessors hash by instance.
      return
        (Element._isSameElement(lhs.element, rhs.element)
        && (Element.self != AnyRealmValue.self || lhs.element == rhs.element))
        || (lhs.element != lhs.element && rhs.element != rhs.element)
    }

    func hash(into hasher: inout Hasher) {
      // Every NaN is the same element.
      if element == element { element.hash(into: &hasher) }
    }
  }

  @usableFromInline
  init() {}

  @usableFromInline var count: Int { places.count }

  /// The element at a position below the count. O(1) as long as nothing was removed.
  func element(at position: Int) -> Element {
    if places.count == slots.count, let element = slots[position] { return element }
    var left = position
    for case .some(let element) in slots {
      if left == 0 { return element }
      left -= 1
    }
    fatalError("A position of a set is below its count.")
  }

  var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for case .some(let element) in slots { elements.append(element) }
    return elements
  }

  func contains(_ element: Element) -> Bool { places[Member(element: element)] != nil }

  mutating func insert(_ element: Element) {
    let member = Member(element: element)
    if places[member] != nil { return }
    places[member] = slots.count
    slots.append(element)
  }

  mutating func remove(_ element: Element) {
    guard let place = places.removeValue(forKey: Member(element: element)) else { return }
    // Not `= nil`, which for optional elements would be an element.
    slots[place] = .none
    if slots.count > 2 * places.count + 8 { closeHoles() }
  }

  mutating func removeAll() { self = UnmanagedSet() }

  private mutating func closeHoles() {
    let elements = elements
    slots = elements
    for (place, element) in elements.enumerated() { places[Member(element: element)] = place }
  }
}
