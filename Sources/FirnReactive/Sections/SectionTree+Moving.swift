package import FirnEngine

/// An element and the section that it belongs to now.
package struct KeyedPosition {
  package var position: Int
  package var key: Value

  package init(_ position: Int, _ key: Value) {
    self.position = position
    self.key = key
  }
}

extension SectionTree {
  /// An element that keeps its place in the view and goes to another section.
  private struct Rekeyed {
    /// Before, and after.
    var position: Int
    var newPosition = 0
    var label: UInt64
    var old: Int
    var new: Int
  }

  /// A section of which something was touched.
  private struct Touched {
    var old: Int?
    var rows: SectionChange.Rows
  }

  /// Follows a change of the view. All arrays ascend.
  ///
  /// - Parameters:
  ///   - deletions: Old positions of elements that left or moved.
  ///   - insertions: New positions of elements that came or moved, with their keys.
  ///   - modifications: Old positions of elements that stayed and were written, with the keys that they have now.
  /// - Complexity: O(k log n) for k positions and n elements, besides sections that move as a whole.
  package func move(
    deletions: [Int], insertions: [KeyedPosition], modifications: [KeyedPosition]
  ) -> SectionChange {
    var touched: [Int: Touched] = [:]
    func touch(_ number: Int, _ body: (inout SectionChange.Rows) -> Void) {
      body(
        &touched[
          number,
          default: Touched(
            old: sections[number].count == 0 ? nil : index(ofNumber: number),
            rows: SectionChange.Rows(key: sections[number].key, oldCount: sections[number].count))
        ].rows)
    }
    var change = SectionChange(oldCount: order.count)
    change.isOrderChanged = !deletions.isEmpty || !insertions.isEmpty
    // What was.
    let gone = deletions.map { sequence.element(at: $0) }
    for element in gone {
      let item = item(of: element.label, in: Int(element.row))
      touch(Int(element.row)) { $0.deletions.append(item) }
    }
    var rekeyed: [Rekeyed] = []
    for modification in modifications {
      let element = sequence.element(at: modification.position)
      let old = Int(element.row)
      let item = item(of: element.label, in: old)
      if sections[old].key == SectionKey(modification.key) {
        touch(old) { $0.modifications.append((item, modification.position)) }
        continue
      }
      let new = number(of: SectionKey(modification.key))
      rekeyed.append(Rekeyed(position: modification.position, label: element.label, old: old, new: new))
      touch(old) { $0.deletions.append(item) }
      touch(new) { _ in }
      change.rekeyed.append(modification.position)
    }
    let arriving = insertions.map { number(of: SectionKey($0.key)) }
    for number in arriving { touch(number) { _ in } }
    let moving = touched.filter { !$0.value.rows.deletions.isEmpty }.map(\.key)
    let changing = Set(moving + rekeyed.map(\.new) + arriving)
    lookupCount &+= deletions.count &+ modifications.count

    // What is.
    let count = deletions.count + insertions.count + rekeyed.count
    if count > 32, count * (Int.bitWidth - sequence.count.leadingZeroBitCount) > sequence.count {
      rebuild(deletions, insertions, arriving, &rekeyed)
    } else {
      for element in gone { members.remove(at: rank(Int(element.row), element.label)) }
      for row in rekeyed {
        members.remove(at: rank(row.old, row.label))
        sequence.replaceRow(at: row.position, with: UInt64(row.new))
      }
      let places = changing.compactMap { touched[$0]?.old }.sorted()
      for position in deletions.reversed() { _ = sequence.remove(at: position) }
      let hasRoom = insert(insertions, arriving)
      Self.follow(&rekeyed, deletions, insertions)
      if hasRoom {
        for index in places.reversed() { order.remove(at: index) }
        for (index, insertion) in insertions.enumerated() { addMember(at: insertion.position, arriving[index]) }
        for row in rekeyed { addMember(at: row.newPosition, row.new) }
        arrange(
          changing,
          counts: Dictionary(
            uniqueKeysWithValues: changing.map { number in
              (number, sections[number].count - (touched[number]?.rows.deletions.count ?? 0))
            }), arriving + rekeyed.map(\.new))
      } else {
        rebuild(sequence.allRows)
      }
    }
    for (index, insertion) in insertions.enumerated() {
      let number = arriving[index]
      let item = item(of: sequence.element(at: insertion.position).label, in: number)
      touched[number]?.rows.insertions.append(item)
    }
    for row in rekeyed {
      let item = item(of: sequence.element(at: row.newPosition).label, in: row.new)
      touched[row.new]?.rows.insertions.append(item)
    }
    var all: [SectionChange.Rows] = []
    var ranked: [RankedRow] = []
    for (number, section) in touched {
      var rows = section.rows
      rows.deletions.sort()
      rows.insertions.sort()
      rows.modifications.sort { $0.item < $1.item }
      rows.newCount = sections[number].count
      rows.old = section.old
      rows.new = rows.newCount == 0 ? nil : index(ofNumber: number)
      if rows.newCount == 0 { release(number) }
      if changing.contains(number), rows.old != nil || rows.new != nil {
        ranked.append(RankedRow(old: rows.old ?? -1, new: rows.new ?? -1, modified: -1))
      }
      if rows.old != nil || rows.new != nil { all.append(rows) }
    }
    let moves = ViewChange(ranked, written: [], oldCount: change.oldCount, newCount: order.count)
    change.sections = ListDelta(
      PositionChanges(deletions: moves.deletions, insertions: moves.insertions), from: change.oldCount, to: order.count)
    let (left, came) = (Set(moves.deletions), Set(moves.insertions))
    change.rows.reserveCapacity(all.count)
    for var rows in all {
      rows.isKept = rows.old.map { !left.contains($0) } ?? false && rows.new.map { !came.contains($0) } ?? false
      change.rows[rows.key] = rows
    }
    sequence.endStep { relabelling($0) }
    return change
  }

  private func rank(_ number: Int, _ label: UInt64) -> Int {
    lookupCount &+= 1
    return members.rank { $0.precedes(number, label) }
  }

  private func addMember(at position: Int, _ number: Int) {
    let label = sequence.element(at: position).label
    members.insert(Member(section: number, label: label), at: rank(number, label))
  }

  /// Puts sections that were taken out of the order where their first elements say.
  private func arrange(_ numbers: Set<Int>, counts: [Int: Int], _ arrived: [Int]) {
    for number in numbers { sections[number].count = counts[number] ?? 0 }
    for number in arrived { sections[number].count += 1 }
    for number in numbers where sections[number].count > 0 {
      sections[number].first = members.select(start(of: number)).label
      order.insert(number, at: index(ofNumber: number))
    }
  }

  /// False when there is no room for labels: then those that are behind are in, too, with labels of another kind.
  private func insert(_ insertions: [KeyedPosition], _ arriving: [Int]) -> Bool {
    var hadRoom = true
    var end = 0
    for (index, insertion) in insertions.enumerated() {
      if end <= index {
        end = index + 1
        while end < insertions.count, insertions[end].position == insertions[end - 1].position + 1 { end += 1 }
      }
      let following = end - index - 1
      if sequence.insert(UInt64(arriving[index]), at: insertion.position, following: following) == nil {
        hadRoom = false
        sequence.rebuild(sequence.allRows)
        _ = sequence.insert(UInt64(arriving[index]), at: insertion.position, following: following)
      }
    }
    return hadRoom
  }

  /// Where elements are that kept their place.
  private static func follow(_ rekeyed: inout [Rekeyed], _ deletions: [Int], _ insertions: [KeyedPosition]) {
    var (deleted, inserted) = (0, 0)
    for index in rekeyed.indices {
      while deleted < deletions.count, deletions[deleted] < rekeyed[index].position { deleted += 1 }
      let kept = rekeyed[index].position - deleted
      while inserted < insertions.count, insertions[inserted].position <= kept + inserted { inserted += 1 }
      rekeyed[index].newPosition = kept + inserted
    }
  }

  /// The same by walking all elements once.
  private func rebuild(
    _ deletions: [Int], _ insertions: [KeyedPosition], _ arriving: [Int], _ rekeyed: inout [Rekeyed]
  ) {
    for row in rekeyed { sequence.replaceRow(at: row.position, with: UInt64(row.new)) }
    Self.follow(&rekeyed, deletions, insertions)
    var elements: [UInt64] = []
    elements.reserveCapacity(sequence.count - deletions.count + insertions.count)
    var (position, deleted, inserted) = (0, 0, 0)
    func insert() {
      while inserted < insertions.count, insertions[inserted].position == elements.count {
        elements.append(UInt64(arriving[inserted]))
        inserted += 1
      }
    }
    sequence.walk { element in
      defer { position += 1 }
      if deleted < deletions.count, deletions[deleted] == position {
        deleted += 1
        return
      }
      insert()
      elements.append(element.row)
    }
    insert()
    rebuild(elements)
  }
}

extension ElementSequence {
  /// All rows in order.
  var allRows: [UInt64] {
    var all: [UInt64] = []
    all.reserveCapacity(count)
    walk { all.append($0.row) }
    return all
  }
}
