/// Something that is done again and again by one thread, and costs about as many instructions in every run.
struct Loop {
  /// Makes what is needed, the same for any number of turns, and returns what takes the turns.
  typealias Preparation = () throws -> (_ turnCount: Int) throws -> Void

  /// The row in the results of the benchmarks that measures the same; empty where there is none.
  let row: String
  let name: String
  /// How many turns are counted. Twice as many must be possible.
  let turnCount: Int
  let prepare: Preparation

  init(_ row: String, _ name: String, turns turnCount: Int, _ prepare: @escaping Preparation) {
    self.row = row
    self.name = name
    self.turnCount = turnCount
    self.prepare = prepare
  }

  static var all: [Loop] {
    adding + commits + files + lookUps + reads + writes + queries + collections + links + observers + versions + places
  }
}

/// How many persons there are for loops that only read and update.
let personCount = 5_000

/// A realm in memory with so many persons.
func filledFixture(_ count: Int = personCount) throws -> (FirnFixture, Dataset) {
  let dataset = Dataset(count: count)
  return (try FirnFixture(filledWith: dataset), dataset)
}
