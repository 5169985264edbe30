/// Cells and rows by distance, in a binary heap.
struct NearestHeap {
  struct Item {
    enum Content {
      case cell(PlaceCell, Range<Int>)
      case row(UInt64)
    }

    /// A cell has the least distance that anything in it can have.
    var distance: Double
    var content: Content

    /// Cells come before rows at the same distance, as they may hold one that comes first: rows come by key then.
    func precedes(_ other: Item) -> Bool {
      if distance != other.distance { return distance < other.distance }
      switch (content, other.content) {
      case (.cell, _): return true
      case (.row, .cell): return false
      case (.row(let key), .row(let otherKey)): return key < otherKey
      }
    }
  }

  private var items: [Item] = []

  mutating func insert(_ item: Item) {
    var place = items.count
    items.append(item)
    while place > 0 {
      let parent = (place - 1) / 2
      if !items[place].precedes(items[parent]) { return }
      items.swapAt(place, parent)
      place = parent
    }
  }

  mutating func removeFirst() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if items.isEmpty { return first }
    items[0] = last
    var place = 0
    while true {
      let left = 2 * place + 1
      var least = place
      for child in [left, left + 1] where child < items.count && items[child].precedes(items[least]) { least = child }
      if least == place { return first }
      items.swapAt(place, least)
      place = least
    }
  }
}
