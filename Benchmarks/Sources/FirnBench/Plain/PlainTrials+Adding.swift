extension PlainTrials {
  static func bulkAdd(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    return {
      let store = PlainStore()
      let sample = sample(per: dataset.count) {
        store.write { graph in
          var elders: [PlainPerson] = []
          for index in 0..<dataset.count {
            let person = PlainPerson(dataset.record(at: index))
            if index < dataset.elderCount {
              elders.append(person)
            } else {
              person.best = elders[dataset.elder(of: index)]
            }
            graph.add(person)
          }
        }
      }
      try expect(store.read { $0.byID.count }, dataset.count, "persons added to plain Swift")
      return sample
    }
  }

  static func singleAdd(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    let store = PlainStore(filledWith: dataset)
    let elders = store.persons(withIDs: Array(0..<dataset.elderCount))
    let idle = PlainObserver(of: store.all) { person in
      person.age > 1_000
    } onChange: { _ in
      fatalError("nobody is that old")
    }
    store.write { $0.observers.add(idle) }
    var next = dataset.count
    return {
      let indexes = next..<(next + SingleAdd.countPerPass)
      next = indexes.upperBound
      return sample(per: indexes.count) {
        for index in indexes {
          let person = PlainPerson(dataset.record(at: index))
          person.best = elders[dataset.elder(of: index)]
          store.write { $0.add(person) }
        }
      }
    }
  }
}
