/// Cells and rows by distance, in a binary heap.
struct NearestHeap {
  struct Item {
    enum Content {
      /// A cell, and a part of the index that holds all of its rows.
      case cell(PlaceCell, OrderedTree.Part)
      /// A row whose place has not been read.
      case candidate(UInt64)
      case row(UInt64)
    }

    /// A cell or a candidate has the least distance that anything in it can have.
    var distance: Double
    var content: Content

    /// Rows come last at the same distance, as the others may hold or be one that comes first: rows come by key then.
    @inline(__always)
    func precedes(_ other: Item) -> Bool {
      if distance != other.distance { return distance < other.distance }
      return precedesAtSameDistance(other)
    }

    private func precedesAtSameDistance(_ other: Item) -> Bool {
      switch (content, other.content) {
      case (.row(let key), .row(let otherKey)): key < otherKey
      case (.row, _): false
      case (_, _): true
      }
    }
  }

  private var items: [Item] = []

  var first: Item? { items.first }

  mutating func insert(_ item: Item) {
    var place = items.count
    items.append(item)
    items.withUnsafeMutableBufferPointer { items in
      while place > 0 {
        let parent = (place &- 1) / 2
        if !item.precedes(items[parent]) { break }
        items[place] = items[parent]
        place = parent
      }
      items[place] = item
    }
  }

  mutating func removeFirst() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if items.isEmpty { return first }
    items.withUnsafeMutableBufferPointer { items in
      var place = 0
      while 2 &* place &+ 1 < items.count {
        var child = 2 &* place &+ 1
        if child &+ 1 < items.count, items[child &+ 1].precedes(items[child]) { child &+= 1 }
        if !items[child].precedes(last) { break }
        items[place] = items[child]
        place = child
      }
      items[place] = last
    }
    return first
  }
}
