/// What a person's change did to a result, as ids: plain collections know no positions that survive a deletion.
struct PlainChange {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// The hand-written observer of a result: a condition, the ids that meet it, and what to do when they change.
final class PlainObserver {
  private let includes: (PlainPerson) -> Bool
  private let block: (PlainChange) -> Void
  private var members: Set<Int>
  private var change = PlainChange()

  init(
    of persons: [PlainPerson], where includes: @escaping (PlainPerson) -> Bool,
    _ block: @escaping (PlainChange) -> Void
  ) {
    self.includes = includes
    self.block = block
    members = Set(persons.lazy.filter(includes).map(\.id))
  }

  /// Whether this is the first change since the last delivery.
  func personChanged(_ person: PlainPerson) -> Bool {
    let wasEmpty = change.isEmpty
    if includes(person) {
      if members.insert(person.id).inserted {
        change.insertions.append(person.id)
      } else {
        change.modifications.append(person.id)
      }
    } else if members.remove(person.id) != nil {
      change.deletions.append(person.id)
    }
    return wasEmpty && !change.isEmpty
  }

  func deliver() {
    let delivered = change
    change = PlainChange()
    block(delivered)
  }
}
