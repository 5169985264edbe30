package import FirnEngine

/// What happened to groups in a span of versions: the groups that came, went or came to something else.
///
/// A group never moves, since keys decide about the order. So spans are merged group by group: what came to something else
/// and back leaves no trace, nor does a group that came and went.
package struct GroupChange: CollectionSpan, Sendable {
  package struct Entry: Sendable {
    package let key: [Value]
    /// Nil when there was no such group.
    package let old: GroupResult?
    /// So many groups with smaller keys there were.
    fileprivate(set) package var oldPosition: Int
    /// Nil when there is no such group any more.
    package let new: GroupResult?
    fileprivate(set) package var newPosition: Int

    fileprivate var isNothing: Bool {
      guard let old, let new else { return old == nil && new == nil }
      return old.isSame(as: new)
    }
  }

  /// By key, ascending.
  package private(set) var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a group behind those that are there. Nothing happened to one that comes to what it came to before.
  mutating func append(_ key: [Value], old: GroupResult?, at oldPosition: Int, new: GroupResult?, at newPosition: Int) {
    let entry = Entry(key: key, old: old, oldPosition: oldPosition, new: new, newPosition: newPosition)
    if !entry.isNothing { entries.append(entry) }
  }

  package mutating func merge(_ later: GroupChange) {
    var merged = GroupChange()
    var (mine, others) = (entries[...], later.entries[...])
    /// By how much this span, and the later one, shifted what comes behind.
    var (shift, laterShift) = (0, 0)
    while !mine.isEmpty || !others.isEmpty {
      let order =
        mine.first.flatMap { first in others.first.map { first.key.keyOrder(to: $0.key) } } ?? (mine.isEmpty ? 1 : -1)
      let (first, second) = (order <= 0 ? mine.popFirst() : nil, order >= 0 ? others.popFirst() : nil)
      switch (first, second) {
      case (let first?, let second?):
        merged.append(
          first.key, old: first.old, at: first.oldPosition, new: second.new, at: second.newPosition)
      case (let first?, nil):
        merged.append(
          first.key, old: first.old, at: first.oldPosition, new: first.new, at: first.newPosition + laterShift)
      case (nil, let second?):
        merged.append(
          second.key, old: second.old, at: second.oldPosition - shift, new: second.new, at: second.newPosition)
      case (nil, nil): break
      }
      shift += first?.shift ?? 0
      laterShift += second?.shift ?? 0
    }
    self = merged
  }

  /// The change as positions.
  package var positions: PositionChanges {
    var positions = PositionChanges()
    for entry in entries {
      if entry.old == nil {
        positions.insertions.append(entry.newPosition)
      } else if entry.new == nil {
        positions.deletions.append(entry.oldPosition)
      } else {
        positions.modifications.append(entry.oldPosition)
      }
    }
    return positions
  }
}

extension GroupChange.Entry {
  fileprivate var shift: Int { (new == nil ? 0 : 1) - (old == nil ? 0 : 1) }
}
