/// What all engines agree on in row 21.
enum SharedWriting {
  static let taskCount = 8
  static let countPerTask = 20_000
  static let readsPerWrite = 9

  /// As many tasks as write without pause beside the one whose waits are measured.
  static let hogCount = 32
  static let duration = Duration.milliseconds(500)

  /// How long the writes of tasks take that mostly read.
  static func latency(
    of ids: [Int], read: @escaping @Sendable (Int) async -> Int,
    write: @escaping @Sendable (_ id: Int, _ age: Int) async throws -> Void
  ) async throws -> CommitLatency {
    try await withThrowingTaskGroup(of: CommitLatency.self) { group in
      for number in 0..<taskCount {
        group.addTask {
          var latency = CommitLatency()
          var sum = 0
          for turn in 0..<countPerTask {
            let id = ids[(turn * taskCount + number) % ids.count]
            if turn % (readsPerWrite + 1) == readsPerWrite {
              try await latency.measureSuspending { try await write(id, turn % 100) }
            } else {
              sum &+= await read(id)
            }
          }
          blackHole(sum)
          return latency
        }
      }
      return try await group.reduce(into: CommitLatency()) { $0.add($1) }
    }
  }

  /// How long the writes of one task take while others write without pause.
  static func latencyBesideHogs(
    of ids: [Int], write: @escaping @Sendable (_ id: Int, _ age: Int) async throws -> Void
  ) async throws -> CommitLatency {
    let end = ContinuousClock.now + duration
    return try await withThrowingTaskGroup(of: CommitLatency.self) { group in
      for number in 0...hogCount {
        group.addTask {
          var latency = CommitLatency()
          var turn = 0
          while ContinuousClock.now < end {
            turn += 1
            let id = ids[(turn * hogCount + number) % ids.count]
            if number < hogCount {
              try await write(id, turn % 100)
            } else {
              try await latency.measureSuspending { try await write(id, turn % 100) }
            }
          }
          return latency
        }
      }
      return try await group.reduce(into: CommitLatency()) { $0.add($1) }
    }
  }
}
