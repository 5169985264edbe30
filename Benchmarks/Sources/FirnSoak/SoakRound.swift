import Dispatch
import Firn
import Foundation

/// A time between opening and closing in which everything happens at once.
struct SoakRound {
  let store: RealmStore
  let file: URL
  let end: ContinuousClock.Instant
  let seed: UInt64

  /// Writes, reads, observes, copies and checkpoints until the time is over. The writers as they are then.
  ///
  /// - Parameter closes: Whether the store is closed under the writers' hands.
  func run(_ writers: [SoakWriter], closes: Bool) async throws -> [SoakWriter] {
    try await withThrowingTaskGroup(of: SoakWriter?.self) { group in
      for writer in writers { group.addTask { try await write(writer, untilClosed: closes) } }
      for reader in 0..<3 { group.addTask { try await read(seed &+ UInt64(reader)) } }
      for reader in 0..<3 { group.addTask { try await readHistory(seed &+ 50 &+ UInt64(reader)) } }
      for observer in 0..<2 { group.addTask { try await observe(seed &+ 10 &+ UInt64(observer)) } }
      group.addTask { try await checkpoint() }
      group.addTask { try await copy() }
      group.addTask { try await readElsewhere() }
      if closes {
        group.addTask {
          try await Task.sleep(until: end)
          try await store.close()
          return nil
        }
      }
      var after: [SoakWriter] = []
      for try await writer in group { if let writer { after.append(writer) } }
      return after.sorted { $0.index < $1.index }
    }
  }

  private var isOver: Bool { ContinuousClock.now >= end }

  private func pause(_ milliseconds: Range<Int>, _ random: inout SeededGenerator) async throws {
    try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds, using: &random)))
  }

  private func write(_ writer: SoakWriter, untilClosed: Bool) async throws -> SoakWriter? {
    var writer = writer
    var count = 0
    while untilClosed || !isOver {
      count += 1
      // Deadlines that are far away, as servers have them.
      let deadline: ContinuousClock.Instant? = count % 2 == 0 ? .now + .seconds(3600) : nil
      guard try await writer.write(store, deadline) else { break }
    }
    return writer
  }

  /// Holds versions for a while; they never change.
  private func read(_ seed: UInt64) async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed)
    while !isOver {
      let frozen = store.freeze()
      try SoakModel.check(frozen.realm, "that was frozen")
      try await pause(1..<300, &random)
      try SoakModel.check(frozen.realm, "that was held")
    }
    return nil
  }

  /// Follows a query by the changes it is told of, which have to lead to the same rows.
  private func observe(_ seed: UInt64) async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed)
    while !isOver {
      let followed = FollowedQuery()
      try followed.start(store, writer: Int.random(in: 0..<4, using: &random))
      try await pause(20..<400, &random)
      try followed.stop()
    }
    return nil
  }

  private func checkpoint() async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed &+ 20)
    while !isOver {
      try await pause(100..<900, &random)
      do {
        try await store.checkpoint()
      } catch Realm.Error.storeClosed {}
    }
    return nil
  }

  /// Writes copies beside the writers and opens them.
  private func copy() async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed &+ 30)
    while !isOver {
      try await pause(300..<1_500, &random)
      let configuration = SoakModel.configuration(file.appendingPathExtension("copy"))
      _ = try Realm.deleteFiles(for: configuration)
      do {
        try await store.writeCopy(to: file.appendingPathExtension("copy"))
      } catch Realm.Error.storeClosed {
        break
      }
      let copy = try await RealmStore.open(configuration)
      try SoakModel.check(copy.freeze().realm, "that was copied")
      try await copy.close()
    }
    return nil
  }

  /// Opens the files for reading only, in another process.
  /// Follows what was committed: every commit is there once, in order.
  private func readHistory(_ seed: UInt64) async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed)
    while !isOver {
      var last = store.freeze().version
      try await pause(1..<600, &random)
      do {
        let newest = store.freeze().version
        for try await entry in store.history(after: last) {
          guard entry.version > last else {
            throw SoakFailure("History has the version \(entry.version) behind \(last).")
          }
          last = entry.version
        }
        guard last >= newest else { throw SoakFailure("History ends at the version \(last), before \(newest).") }
      } catch Realm.Error.storeClosed {
        return nil
      }
    }
    return nil
  }

  private func readElsewhere() async throws -> SoakWriter? {
    var random = SeededGenerator(seed: seed &+ 40)
    while !isOver {
      try await pause(200..<1_500, &random)
      let path = file.path
      let status = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try Self.runReader(path) }) }
      }
      guard status == 0 else {
        throw SoakFailure("A process that opened the files for reading only ended with status \(status).")
      }
    }
    return nil
  }

  private static func runReader(_ path: String) throws -> Int32 {
    var id = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = ["firn-soak", "--check", path].map { (word: String) in strdup(word)
    }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&id, "/proc/self/exe", nil, nil, &arguments, environ) == 0 else {
      throw SoakFailure("A process could not be started: error \(errno).")
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 { if errno != EINTR { throw SoakFailure("A process was lost: error \(errno).") } }
    return status
  }
}
