extension PlainTrials {
  static func writeAmongReaders(_ stage: Stage) -> Trial {
    let ages = Ages(stage.dataset.count)
    let ids = stage.dataset.randomIDs(count: SharedWriting.countPerTask)
    return {
      try waitFor {
        try await SharedWriting.latency(of: ids) {
          await ages.age(of: $0)
        } write: {
          await ages.setAge(of: $0, to: $1)
        }
      }.sampleOfHalf()
    }
  }

  static func writeBesideHogs(_ stage: Stage) -> Trial {
    let ages = Ages(stage.dataset.count)
    let ids = stage.dataset.randomIDs(count: SharedWriting.countPerTask)
    return {
      try waitFor {
        try await SharedWriting.latencyBesideHogs(of: ids) { await ages.setAge(of: $0, to: $1) }
      }.sample()
    }
  }
}

/// What a program without a database would share.
private actor Ages {
  private var ages: [Int: Int]

  init(_ count: Int) { ages = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 0) }) }

  func age(of id: Int) -> Int { ages[id] ?? 0 }

  func setAge(of id: Int, to age: Int) { ages[id] = age }
}
