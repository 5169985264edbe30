import CBench
import Synchronization

extension PlainTrials {
  static func memoryOfQueries(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let cities = LiveQueries.manyCities
    store.write { graph in
      for (person, city) in zip(graph.all, cities) { graph.setCity(of: person, to: city) }
    }
    return {
      let before = cbench_heap_byte_count()
      var callCount = 0
      for city in cities {
        let members = store.read { $0.byCity[city] ?? [] }
        let observer = PlainObserver(of: members) { person in
          person.city == city
        } onChange: { _ in
          callCount += 1
        }
        store.write { $0.observers.add(observer, ofCity: city) }
      }
      let after = cbench_heap_byte_count()
      store.write { $0.observers.removeAll() }
      return Sample(value: Double(after - before) / Double(cities.count))
    }
  }

  static func deliverSorted(_ stage: Stage) -> Trial {
    let store = PlainStore(filledWith: stage.dataset)
    let scores = stage.dataset.scores
    let persons = store.persons(withIDs: stage.dataset.distinctIDs(atMost: LiveQueries.sortedCommitCount))
    let sorted = PlainSorted(store.all)
    var round = 0
    return {
      round += 1
      var latency = CommitLatency()
      var callCount = 0
      for (index, person) in persons.enumerated() {
        let score = scores[(7 * index + round) % scores.count]
        latency.measure {
          store.write { _ in sorted.move(person, to: score) { _, _ in callCount += 1 } }
        }
      }
      try expect(callCount, persons.count, "deliveries to the observer of a sorted result in plain Swift")
      return latency.sampleOf99Percent()
    }
  }

  static func observeAppending(_ stage: Stage) throws -> Trial {
    let persons = (0..<stage.dataset.count + LiveQueries.appendedCount).map {
      PlainPerson(stage.dataset.record(at: $0))
    }
    let appended = Array(persons.suffix(LiveQueries.appendedCount))
    let list = Mutex(Array(persons.prefix(stage.dataset.count)))
    var observer: (([Int]) -> Void)?
    func rounds() throws -> Double {
      var time = 0.0
      for _ in 0..<LiveQueries.appendingCount {
        time += processorNanoseconds(per: 1) {
          let range = list.withLock { list in
            let start = list.count
            list.append(contentsOf: appended)
            return start..<list.count
          }
          if let observer { observer(Array(range)) }
        }
        list.withLock { $0.removeLast(appended.count) }
      }
      return time
    }
    return {
      try LiveQueries.added(per: LiveQueries.appendingCount, rounds) { run in
        var insertedCount = 0
        observer = { insertedCount += $0.count }
        try run()
        observer = nil
        try expect(
          insertedCount, appended.count * LiveQueries.appendingCount,
          "elements told to the observer of a list in plain Swift")
      }
    }
  }

  static func observeJoined(_ stage: Stage) -> Trial {
    let graph = Mutex(PlainJoin(count: stage.dataset.count))
    let ids = stage.dataset.distinctIDs(atMost: LiveQueries.joinedWriteCount)
    let cycleCount = 10
    let commitCount = cycleCount * LiveQueries.sizes.count * ids.count
    func commits() {
      for _ in 0..<cycleCount {
        for size in LiveQueries.sizes {
          for id in ids { graph.withLock { $0.write(size, to: id) } }
        }
      }
      graph.withLock { $0.deliver() }
    }
    return {
      try ObservedUpdates.added(per: commitCount, commits) { run in
        graph.withLock { $0.observe() }
        try run()
        let callCount = graph.withLock { graph in
          graph.endObserving()
          return graph.callCount
        }
        try expect(callCount, commitCount, "deliveries to the observer of a join in plain Swift")
      }
    }
  }
}

/// Persons in the order of their scores, as an array.
private final class PlainSorted {
  private var persons: [PlainPerson]

  init(_ persons: [PlainPerson]) { self.persons = persons.sorted { Self.precedes($0, $1.score, $1.id) } }

  private static func precedes(_ person: PlainPerson, _ score: Double, _ id: Int) -> Bool {
    (person.score, person.id) < (score, id)
  }

  private func place(_ score: Double, _ id: Int) -> Int {
    var (low, high) = (0, persons.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(persons[middle], score, id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func move(_ person: PlainPerson, to score: Double, _ tell: (_ old: Int, _ new: Int) -> Void) {
    let old = place(person.score, person.id)
    persons.remove(at: old)
    person.score = score
    let new = place(score, person.id)
    persons.insert(person, at: new)
    tell(old, new)
  }
}

/// Folders and their favourites, as numbers, with the observed folders whose favourite is big.
private struct PlainJoin {
  private var sizes: [Int]
  private var folders: [[Int]]
  private var members: Set<Int>?
  private var changed: (deleted: [Int], inserted: [Int], modified: [Int]) = ([], [], [])
  private(set) var callCount = 0

  init(count: Int) {
    sizes = Array(repeating: LiveQueries.startSize, count: count)
    folders = (0..<count).map { [$0] }
  }

  mutating func observe() {
    callCount = 0
    members = Set(sizes.indices.filter { sizes[$0] > LiveQueries.sizeLimit }.flatMap { folders[$0] })
  }

  mutating func endObserving() { members = nil }

  /// One transaction. The observer first gets what the one before it changed.
  mutating func write(_ size: Int, to entry: Int) {
    deliver()
    sizes[entry] = size
    if members == nil { return }
    for folder in folders[entry] {
      if size <= LiveQueries.sizeLimit {
        if members!.remove(folder) != nil { changed.deleted.append(folder) }
      } else if members!.insert(folder).inserted {
        changed.inserted.append(folder)
      } else {
        changed.modified.append(folder)
      }
    }
  }

  mutating func deliver() {
    if changed.deleted.isEmpty, changed.inserted.isEmpty, changed.modified.isEmpty { return }
    callCount += 1
    changed = ([], [], [])
  }
}
