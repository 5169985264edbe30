extension PlainTrials {
  static func freeze(_ stage: Stage) -> Trial {
    let store = stage.sharedPlain()
    return {
      var copy = PlainGraph()
      let sample = sample(per: 1) {
        copy = store.read { $0.copy() }
      }
      try expect(copy.byID.count, stage.dataset.count, "persons in the copy")
      copy.cutLinks()
      return sample
    }
  }

  static func readAlone(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let ids = stage.dataset.randomIDs(count: Readers.lookUpCount)
    return {
      Readers.rate(per: ids.count) { readAges(of: ids, in: store) }
    }
  }

  static func readBesideWriter(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let ids = stage.dataset.randomIDs(count: Readers.lookUpCount)
    let writtenIDs = stage.dataset.randomIDs(count: Readers.lookUpCount, seed: 3)
    return {
      let writer = BusyThread {
        { turn in
          store.write { graph in
            if let person = graph.byID[writtenIDs[turn % writtenIDs.count]] {
              graph.setAge(of: person, to: turn % 100)
            }
          }
        }
      }
      return try Readers.rate(per: ids.count, beside: writer) { readAges(of: ids, in: store) }
    }
  }

  private static func readAges(of ids: [Int], in store: PlainStore) {
    var sum = 0
    for start in stride(from: 0, to: ids.count, by: Readers.lookUpsPerVersion) {
      store.read { graph in
        for id in ids[start..<(start + Readers.lookUpsPerVersion)] {
          if let person = graph.byID[id] { sum &+= person.age }
        }
      }
    }
    blackHole(sum)
  }
}
