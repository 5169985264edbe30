/// Persons by city, kept up to date by hand.
private final class PlainGroups {
  private struct Group {
    var count = 0
    var sum = 0.0
    var least = Double.infinity
    var greatest = -Double.infinity
  }

  private let hasExtremes: Bool
  private var groups: [String: Group] = [:]
  private(set) var deliveryCount = 0

  init(_ graph: PlainGraph, hasExtremes: Bool) {
    self.hasExtremes = hasExtremes
    for (city, persons) in graph.byCity { groups[city] = Self.group(persons) }
  }

  private static func group(_ persons: Set<PlainPerson>) -> Group {
    var group = Group()
    for person in persons {
      group.count += 1
      group.sum += person.score
      group.least = min(group.least, person.score)
      group.greatest = max(group.greatest, person.score)
    }
    return group
  }

  func scoreChanged(_ person: PlainPerson, from old: Double, in graph: PlainGraph) {
    deliveryCount += 1
    var group = groups[person.city] ?? Group()
    group.sum += person.score - old
    if hasExtremes {
      if old == group.least || old == group.greatest {
        group = Self.group(graph.byCity[person.city] ?? [])
      } else {
        group.least = min(group.least, person.score)
        group.greatest = max(group.greatest, person.score)
      }
    }
    groups[person.city] = group
  }
}

extension PlainTrials {
  static func observeGroups(_ aggregates: GroupedUpdates, _ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: GroupedUpdates.personCountMax))
    var round = 0
    nonisolated(unsafe) var groups: PlainGroups?
    func commits() {
      for (index, person) in persons.enumerated() {
        store.write { graph in
          let old = person.score
          person.score = GroupedUpdates.score(index + round)
          groups?.scoreChanged(person, from: old, in: graph)
        }
      }
      round += 1
    }
    return {
      try ObservedUpdates.added(per: persons.count, commits) { run in
        groups = store.write { PlainGroups($0, hasExtremes: aggregates == .extremes) }
        try run()
        let deliveryCount = groups?.deliveryCount ?? 0
        groups = nil
        try expect(deliveryCount, persons.count, "changes of groups in plain Swift")
      }
    }
  }
}
