extension PlainTrials {
  static func observeOneQuery(_ stage: Stage) -> Trial {
    observeAges(stage) { store, block in
      let observer = PlainObserver(of: store.all, where: { $0.age > 50 }, onChange: { _ in block() })
      store.write { $0.observers.add(observer) }
    }
  }

  /// As if by an observer of Firn.
  static func observeOneQueryByPositions(_ stage: Stage) -> Trial {
    observeAges(stage) { store, block in
      let observers = PlainPlaceObservers(store.all)
      observers.add(PlainPlaceObserver(of: store.all, where: { $0.age > 50 }, onChange: { _ in block() }))
      store.write { $0.observers.ofPlaces = observers }
    }
  }

  private static func observeAges(
    _ stage: Stage, observing observe: @escaping (PlainStore, @escaping () -> Void) -> Void
  ) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: ObservedUpdates.personCountMax))
    let cycleCount = ObservedUpdates.cycleCount(personCount: persons.count)
    let commitCount = cycleCount * ObservedUpdates.ages.count * persons.count
    store.write { graph in
      for person in persons { graph.setAge(of: person, to: ObservedUpdates.startAge) }
    }
    func commits() {
      for _ in 0..<cycleCount {
        for age in ObservedUpdates.ages {
          for person in persons { store.write { $0.setAge(of: person, to: age) } }
        }
      }
      store.write { _ in }
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        var deliveryCount = 0
        observe(store) { deliveryCount += 1 }
        try run()
        store.write { $0.observers.removeAll() }
        try expect(deliveryCount, commitCount, "deliveries to the observer in plain Swift")
      }
    }
  }

  static func observeManyQueries(_ stage: Stage) -> Trial { observeCities(stage.dataset.cities, stage) }

  static func observeVeryManyQueries(_ stage: Stage) -> Trial { observeCities(LiveQueries.manyCities, stage) }

  private static func observeCities(_ cities: [String], _ stage: Stage) -> Trial {
    observeCities(cities, stage) { store, block in
      for city in cities {
        let members = store.read { $0.byCity[city] ?? [] }
        let observer = PlainObserver(of: members) { person in
          person.city == city
        } onChange: { change in
          block(change.deletions.count + change.insertions.count)
        }
        store.write { $0.observers.add(observer, ofCity: city) }
      }
    }
  }

  /// As if by observers of Firn.
  static func observeManyQueriesByPositions(_ stage: Stage) -> Trial {
    observeCities(stage.dataset.cities, stage) { store, block in
      let observers = PlainPlaceObservers(store.all)
      for city in stage.dataset.cities {
        let members = store.read { $0.byCity[city] ?? [] }
        let observer = PlainPlaceObserver(of: members) { person in
          person.city == city
        } onChange: { positions in
          block(positions.deletions.count + positions.insertions.count)
        }
        observers.add(observer, ofCity: city)
      }
      store.write { $0.observers.ofPlaces = observers }
    }
  }

  /// - Parameter observe: starts observing, and calls its argument with how many rows came or went in each result.
  private static func observeCities(
    _ cities: [String], _ stage: Stage, observing observe: @escaping (PlainStore, @escaping (Int) -> Void) -> Void
  ) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: ObservedUpdates.personCountMax))
    var round = 0
    func commits() {
      round += 1
      for (index, person) in persons.enumerated() {
        store.write { $0.setCity(of: person, to: cities[(index + round) % cities.count]) }
      }
      store.write { _ in }
    }
    commits()
    return {
      try ObservedUpdates.added(per: persons.count, commits) { run in
        var changedCount = 0
        observe(store) { changedCount += $0 }
        try run()
        store.write { $0.observers.removeAll() }
        try expect(changedCount, 2 * persons.count, "rows delivered to the observers in plain Swift")
      }
    }
  }
}
