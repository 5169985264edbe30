import Synchronization

/// A graph of plain objects under a mutex: the program that somebody would write instead of using a database.
final class PlainStore: Sendable {
  private let graph = Mutex(PlainGraph())

  /// Empty.
  init() {}

  /// All records are there before the first person is made, so that the persons lie side by side in memory: the best
  /// case for reading them in order.
  init(filledWith dataset: Dataset) {
    let records = (0..<dataset.count).map(dataset.record(at:))
    write { graph in
      for record in records { graph.add(PlainPerson(record)) }
      for (person, best) in zip(graph.all, dataset.bests) { person.best = graph.all[best] }
    }
  }

  deinit {
    graph.withLock { $0.cutLinks() }
  }

  /// One transaction. Observers first get what the one before it changed.
  @inline(__always)
  func write<Result>(_ body: (inout PlainGraph) throws -> Result) rethrows -> Result {
    try graph.withLock { graph in
      graph.observers.deliver()
      nonisolated(unsafe) let result = try body(&graph)
      return result
    }
  }

  @inline(__always)
  func read<Result>(_ body: (borrowing PlainGraph) throws -> Result) rethrows -> Result {
    try graph.withLock { graph in
      nonisolated(unsafe) let result = try body(graph)
      return result
    }
  }

  var all: [PlainPerson] { read { $0.all } }

  func person(withID id: Int) -> PlainPerson? {
    read { $0.byID[id] }
  }

  func persons(withIDs ids: [Int]) -> [PlainPerson] {
    read { graph in ids.compactMap { graph.byID[$0] } }
  }
}
