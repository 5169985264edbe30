/// Things by the time at which something is to be done about them, the earliest first.
struct DeadlineHeap<Element> {
  typealias Instant = ContinuousClock.Instant

  /// Names an element that was put in.
  struct Ticket: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct Node {
    let deadline: Instant
    let ticket: Ticket
    let element: Element
  }

  /// A binary heap: no node is due before its parent.
  private var nodes: [Node] = []
  private var places: [Ticket: Int] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { nodes.count }

  /// When the first is due.
  var earliest: Instant? { nodes.first?.deadline }

  /// - Complexity: O(log n).
  mutating func insert(_ element: Element, _ deadline: Instant) -> Ticket {
    lastNumber += 1
    let node = Node(deadline: deadline, ticket: Ticket(number: lastNumber), element: element)
    nodes.append(node)
    places[node.ticket] = nodes.count - 1
    rise(nodes.count - 1)
    return node.ticket
  }

  /// Takes an element out, if it is still there.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  mutating func remove(_ ticket: Ticket) -> Element? {
    guard let place = places[ticket] else { return nil }
    exchange(place, nodes.count - 1)
    let node = nodes.removeLast()
    places[ticket] = nil
    if place < nodes.count {
      rise(place)
      sink(place)
    }
    return node.element
  }

  /// Takes out the earliest element that is due.
  mutating func removeDue(at now: Instant) -> Element? {
    guard let first = nodes.first, first.deadline <= now else { return nil }
    return remove(first.ticket)
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0, nodes[place].deadline < nodes[(place - 1) / 2].deadline {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < nodes.count && nodes[child].deadline < nodes[least].deadline {
        least = child
      }
      if least == place { return }
      exchange(place, least)
      place = least
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    if first == second { return }
    nodes.swapAt(first, second)
    places[nodes[first].ticket] = first
    places[nodes[second].ticket] = second
  }
}
