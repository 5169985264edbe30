extension PlainTrials {
  static func fileSize(_ stage: Stage) throws -> Trial {
    let columns = stage.sharedColumns()
    var room = columns.room()
    let count = Double(stage.dataset.count)
    let byteCount = try columns.compress(into: &room)
    return {
      Sample(
        value: Double(byteCount) / count,
        asides: [.init(label: "uncompressed", value: Double(columns.byteCount) / count, unit: .bytes)])
    }
  }

  static func open(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    let city = dataset.cities[7]
    return {
      var found = (age: -1, count: 0)
      var store = PlainStore()
      let sample = sample(per: 1) {
        store.write { graph in
          graph.reserveCapacity(dataset.count)
          for index in 0..<dataset.count { graph.add(PlainPerson(dataset.record(at: index))) }
          for (person, best) in zip(graph.all, dataset.bests) { person.best = graph.all[best] }
        }
        store.read { graph in
          found.age = graph.byID[dataset.count / 2]?.age ?? -1
          found.count = graph.byCity[city]?.count ?? 0
        }
      }
      store = PlainStore()
      try expect(found.age, dataset.ages[dataset.count / 2], "age looked up in plain Swift made anew")
      try expect(found.count, dataset.cityIndexes.count { $0 == 7 }, "persons counted in plain Swift made anew")
      return sample
    }
  }
}
