import FirnEngine

/// The rows of a list, of a map's values, or of backlinks, in the collection's own order. A row may occur several times.
///
/// Each element has a label. Labels ascend along the sequence and stay as long as the element does, so that they serve as
/// keys of ordered structures; between two of them there is room for others. Where little room is left, the elements around
/// get other labels at the end of the step, the more of them the closer they are.
///
/// - Complexity: O(log n) for each element that goes or is looked up, O(log² n) for one that comes, on average; memory about
///   64 bytes for each.
final class ElementSequence {
  struct Element: BitwiseCopyable {
    var label: UInt64
    var row: UInt64
  }

  /// Stands for a null.
  static var nullRow: UInt64 { .max }

  private let tree = CountedTree<Element>()
  private var labels: [UInt64: UInt64] = [:]
  /// The labels of rows that occur several times.
  private var repeated: [UInt64: Set<UInt64>] = [:]
  /// Rows of elements that went in the running step, by label.
  private var departed: [UInt64: UInt64] = [:]
  /// Labels that were given in the running step with little room beside them.
  private var tight: [UInt64] = []

  private static var room: UInt64 { 1 << 62 }
  /// From the first or last element to one that comes before or behind it.
  private static var endDistance: UInt64 { 1 << 32 }
  /// Less than this between two labels is little.
  private static var littleRoom: UInt64 { 1 << 16 }

  /// Whether rows can be looked for. Without that the rows may be the same again and again.
  private let findsRows: Bool

  init(_ rows: [UInt64], findsRows: Bool = true) {
    self.findsRows = findsRows
    rebuild(rows)
  }

  var count: Int { tree.count }

  /// Gives all labels anew. They are in the order of the rows.
  func rebuild(_ rows: [UInt64]) {
    let distance = max(Self.room / UInt64(rows.count + 1), 1)
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    labels.removeAll(keepingCapacity: true)
    repeated = [:]
    departed = [:]
    tight = []
    var label = Self.room
    for row in rows {
      elements.append(Element(label: label, row: row))
      note(row, label)
      label += distance
    }
    tree.rebuild(elements)
  }

  /// All labels in order.
  var allLabels: [UInt64] {
    var all: [UInt64] = []
    all.reserveCapacity(count)
    tree.walk { all.append($0.label) }
    return all
  }

  /// The row of an element, which may have gone in the running step.
  func row(_ label: UInt64) -> UInt64 {
    if !departed.isEmpty, let row = departed[label] { return row }
    return tree.select(tree.rank { $0.label < label }).row
  }

  func row(at position: Int) -> UInt64 { tree.select(position).row }

  func position(of label: UInt64) -> Int { tree.rank { $0.label < label } }

  func element(at position: Int) -> Element { tree.select(position) }

  /// Calls `body` with every element in order.
  func walk(_ body: (Element) -> Void) { tree.walk(body) }

  /// Calls `body` with the label of each element that is a row.
  func forEachLabel(of row: UInt64, _ body: (UInt64) -> Void) {
    if let label = labels[row] { body(label) } else if let all = repeated[row] { all.forEach(body) }
  }

  /// Calls `body` with every row, once.
  func forEachRow(_ body: (UInt64) -> Void) {
    labels.keys.forEach(body)
    repeated.keys.forEach(body)
  }

  // MARK: Changing

  /// Makes an element stand for another row. It keeps its label.
  func replaceRow(at position: Int, with row: UInt64) {
    let old = tree.select(position)
    let new = Element(label: old.label, row: row)
    tree.remove(at: position)
    tree.insert(new, at: position)
    forget(old)
    note(row, old.label)
  }

  /// Removes an element. What it was can be asked for until `endStep`.
  func remove(at position: Int) -> Element {
    let element = tree.select(position)
    tree.remove(at: position)
    departed[element.label] = element.row
    forget(element)
    return element
  }

  /// Inserts a row before the element at a position. Nil when there is no room.
  ///
  /// - Parameter following: So many rows will be inserted behind this one.
  func insert(_ row: UInt64, at position: Int, following: Int = 0) -> Element? {
    guard let label = labelBefore(position, following) else { return nil }
    let element = Element(label: label, row: row)
    tree.insert(element, at: position)
    note(row, label)
    return element
  }

  /// Forgets what went. Where little room is left, gives elements other labels, in the same order.
  ///
  /// - Parameter relabelling: Called with such elements before, returns what is called with their labels after that.
  func endStep(_ relabelling: ([Element]) -> (_ labels: [UInt64]) -> Void) {
    departed.removeAll(keepingCapacity: true)
    for label in tight {
      let position = tree.rank { $0.label < label }
      guard position < count, tree.select(position).label == label, isTight(position) else { continue }
      let (range, low, distance) = window(around: position)
      let elements = range.map { tree.select($0) }
      let relabel = relabelling(elements)
      var moved: [UInt64] = []
      for element in elements { forget(element) }
      for (index, element) in elements.enumerated() {
        let label = low + distance * UInt64(index + 1)
        tree.remove(at: range.lowerBound + index)
        tree.insert(Element(label: label, row: element.row), at: range.lowerBound + index)
        note(element.row, label)
        moved.append(label)
      }
      relabel(moved)
    }
    tight.removeAll(keepingCapacity: true)
  }

  private func isTight(_ position: Int) -> Bool {
    let label = tree.select(position).label
    return position > 0 && label - tree.select(position - 1).label < Self.littleRoom
      || position + 1 < count && tree.select(position + 1).label - label < Self.littleRoom
  }

  /// Elements around a position that have more room together, the more the more they are, and the distance that this is
  /// for each behind the label `low`.
  private func window(around position: Int) -> (range: Range<Int>, low: UInt64, distance: UInt64) {
    var width = 32
    while width < count {
      let start = min(max(position - width / 2, 0), count - width)
      let end = start + width
      let low = start == 0 ? tree.select(0).label - 1 : tree.select(start - 1).label
      let high = end == count ? tree.select(count - 1).label + 1 : tree.select(end).label
      let distance = (high - low) / UInt64(width + 1)
      if distance >= UInt64(width) << 21 { return (start..<end, low, distance) }
      width *= 2
    }
    return (0..<count, Self.room, Self.room / UInt64(count + 1))
  }

  /// A label that is free, and was so before the running step.
  private func labelBefore(_ position: Int, _ following: Int) -> UInt64? {
    let previous = position == 0 ? 0 : tree.select(position - 1).label
    let next = position == count ? UInt64.max : tree.select(position).label
    let distance = (next - previous) / UInt64(following + 2)
    var label = previous + distance
    if count == 0 {
      label = 2 * Self.room
    } else if position == count {
      label = previous + min(distance, Self.endDistance)
    } else if position == 0 {
      label = next - min(distance, Self.endDistance)
    }
    if label == previous { return nil }
    while departed[label] != nil { label += 1 }
    if label >= next { return nil }
    if min(label - previous, next - label) < Self.littleRoom { tight.append(label) }
    return label
  }

  private func note(_ row: UInt64, _ label: UInt64) {
    if !findsRows { return }
    if let other = labels.removeValue(forKey: row) {
      repeated[row] = [other, label]
    } else if repeated[row] != nil {
      repeated[row]?.insert(label)
    } else {
      labels[row] = label
    }
  }

  private func forget(_ element: Element) {
    if !findsRows { return }
    if labels.removeValue(forKey: element.row) != nil { return }
    repeated[element.row]?.remove(element.label)
    if let rest = repeated[element.row], rest.count == 1, let label = rest.first {
      labels[element.row] = label
      repeated[element.row] = nil
    }
  }
}
