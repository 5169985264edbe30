/// What a person's change did to a result. Ordinary collections know no positions that outlive a deletion, so it names
/// the persons.
struct PlainChange {
  var deletions: [PlainPerson] = []
  var insertions: [PlainPerson] = []
  var modifications: [PlainPerson] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// The hand-written observer of a result: a condition, the persons that meet it, and what to do when they change.
final class PlainObserver {
  private let includes: (PlainPerson) -> Bool
  private let block: (PlainChange) -> Void
  private var members: Set<PlainPerson>
  private var change = PlainChange()

  init(
    of persons: some Sequence<PlainPerson>, where includes: @escaping (PlainPerson) -> Bool,
    onChange block: @escaping (PlainChange) -> Void
  ) {
    self.includes = includes
    self.block = block
    members = Set(persons.lazy.filter(includes))
  }

  /// Whether this is the first change since the last delivery.
  func personChanged(_ person: PlainPerson) -> Bool {
    let wasEmpty = change.isEmpty
    if includes(person) {
      if members.insert(person).inserted {
        change.insertions.append(person)
      } else {
        change.modifications.append(person)
      }
    } else if members.remove(person) != nil {
      change.deletions.append(person)
    }
    return wasEmpty && !change.isEmpty
  }

  func deliver() {
    let delivered = change
    change = PlainChange()
    block(delivered)
  }
}
