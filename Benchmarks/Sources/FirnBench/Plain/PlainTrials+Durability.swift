extension PlainTrials {
  static func journalledAdd(_ stage: Stage) throws -> Trial {
    let dataset = stage.dataset
    let store = PlainStore(filledWith: dataset)
    let elders = store.persons(withIDs: Array(0..<dataset.elderCount))
    let idle = PlainObserver(of: store.all) { person in
      person.age > 1_000
    } onChange: { _ in
      fatalError("nobody is that old")
    }
    store.write { $0.observers.add(idle) }
    let log = try LogFile()
    var encoder = RecordEncoder()
    var next = dataset.count
    return {
      let indexes = next..<(next + SingleAdd.countPerPass)
      next = indexes.upperBound
      return try sample(per: indexes.count) {
        for index in indexes {
          let person = PlainPerson(dataset.record(at: index))
          person.best = elders[dataset.elder(of: index)]
          try store.write { graph in
            graph.add(person)
            encoder.encode(person)
            try log.append(encoder.bytes)
          }
        }
      }
    }
  }

  static func durableUpdate(_ stage: Stage) throws -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass))
    let log = try LogFile()
    var encoder = RecordEncoder()
    var round = 0
    return {
      round += 1
      return try sample(per: persons.count) {
        for person in persons {
          try store.write { graph in
            graph.setAge(of: person, to: (person.id + round) % 100)
            encoder.encode(age: person.age, ofPersonWithID: person.id)
            try log.append(encoder.bytes)
            try log.synchronize()
          }
        }
      }
    }
  }
}
