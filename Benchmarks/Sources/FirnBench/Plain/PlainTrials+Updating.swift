extension PlainTrials {
  static func singleUpdate(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass))
    var round = 0
    return {
      round += 1
      return sample(per: persons.count) {
        for (index, person) in persons.enumerated() {
          store.write { $0.setAge(of: person, to: (index + round) % 100) }
        }
      }
    }
  }

  static func singleIndexedUpdate(_ stage: Stage) -> Trial {
    let cities = stage.dataset.cities
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: SingleUpdate.countPerPass))
    var round = 0
    return {
      round += 1
      return sample(per: persons.count) {
        for (index, person) in persons.enumerated() {
          store.write { $0.setCity(of: person, to: cities[(index + round) % cities.count]) }
        }
      }
    }
  }

  static func updateAll(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    var age = 0
    return {
      age = (age + 1) % 100
      return sample(per: stage.dataset.count) {
        store.write { graph in
          for person in graph.all { person.age = age }
        }
      }
    }
  }

  static func deleteHalf(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    let deletedCount = dataset.actives.count { !$0 }
    return {
      let store = PlainStore(filledWith: dataset)
      let sample = sample(per: deletedCount) {
        store.write { $0.deleteInactive() }
      }
      try expect(store.read { $0.byID.count }, dataset.count - deletedCount, "persons left in plain Swift")
      return sample
    }
  }
}
