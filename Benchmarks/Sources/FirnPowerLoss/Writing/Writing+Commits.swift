import Firn
import Foundation
import Synchronization

extension Writing {
  // MARK: Tasks

  func writeInTask(_ writer: Int) async {
    var random = SeededGenerator(plan.life, writer)
    while !isOver {
      let isExchanged = state.withLock { $0.isExchanged }
      do {
        let number = try await store.write(author: "writer \(writer)") { [self] in
          let number = commit($0, part: plan.planted == .splitsCommits ? .first : .all)
          if plan.planted == .acknowledgesEarly { notes.add(.acknowledged, number) }
          return number
        }
        if plan.planted == .splitsCommits {
          try await store.write { [self] in apply(number, part: .second, to: $0) }
        }
        acknowledge(number, begunAfterExchange: isExchanged)
        await checkpointOrCopy(writer, &random)
        if plan.pause > 0 { try? await Task.sleep(for: .microseconds(random.below(2 * plan.pause))) }
      } catch Realm.Error.outOfDiskSpace {
        await takeRefusal()
      } catch {
        end(error)
      }
    }
  }

  private func checkpointOrCopy(_ writer: Int, _ random: inout SeededGenerator) async {
    if random.chance(plan.checkpointChance) { await checkpoint() }
    if random.chance(plan.copyChance) { await copy("\(plan.life)-\(writer)") }
  }

  private func checkpoint() async {
    let number = state.withLock { $0.lastNumber }
    do {
      if let report = try await store.checkpoint(), report.byteCount > 0 {
        say("CHECKPOINT \(report.isBase ? "base" : "delta") of \(report.byteCount) bytes.")
      }
      notes.add(.durable, number)
    } catch {
      Outcome.threw("checkpoint", error)
    }
  }

  private func copy(_ name: String) async {
    let before = state.withLock { $0.lastNumber }
    let url = arguments.url.deletingLastPathComponent()
      .appendingPathComponent("\(Opening.copyPrefix)\(name)-\(before).firn")
    do {
      try await store.writeCopy(to: url, encryptionKey: arguments.key)
      notes.add(.copied, before, state.withLock { $0.lastNumber } + arguments.writers, url.path)
    } catch Realm.Error.fileExists {
      // There was no commit since the last one.
    } catch {
      Outcome.threw("copy", error)
    }
  }

  /// A full disk refuses commits. A checkpoint may help, as its guide says; when nothing helps, the process ends.
  private func takeRefusal() async {
    let count = state.withLock { state in
      state.refusalCount += 1
      if state.refusalCount > 40 { state.isOver = true }
      return state.refusalCount
    }
    if count % 3 == 0 { await checkpoint() }
    try? await Task.sleep(for: .milliseconds(2))
  }

  // MARK: Threads

  func writeInThread() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        do {
          let realm = try Realm(configuration: arguments.configuration(arguments.url, schemaVersion: schemaVersion))
          while !isOver { writeOnce(realm) }
        } catch {
          end(error)
        }
        continuation.resume()
      }
    }
  }

  private func writeOnce(_ realm: Realm) {
    let isExchanged = state.withLock { $0.isExchanged }
    do {
      let number = try realm.write { commit(realm, part: .all) }
      acknowledge(number, begunAfterExchange: isExchanged)
      if plan.pause > 0 { usleep(UInt32(plan.pause)) }
    } catch Realm.Error.outOfDiskSpace {
      state.withLock { state in
        state.refusalCount += 1
        if state.refusalCount > 40 { state.isOver = true }
      }
      usleep(2_000)
    } catch {
      end(error)
    }
  }

  // MARK: A commit

  private enum Part { case all, first, second }

  /// Makes the next commit of the workload in a transaction. Its number.
  private func commit(_ realm: Realm, part: Part) -> Int {
    let counter =
      realm.object(ofType: Counter.self, forPrimaryKey: 1)
      ?? realm.create(
        Counter.self,
        value: ["id": 1, "seed": "\(arguments.seed)", "migrationCount": Int(schemaVersion) - 1] as [String: Any])
    counter.number += 1
    let number = counter.number
    apply(number, part: part, to: realm)
    return number
  }

  private func apply(_ number: Int, part: Part, to realm: Realm) {
    var changes = arguments.workload.changes(ofCommit: number)
    if plan.planted == .forgetsChange, number % 20 == 0 { changes.removeLast() }
    let half = changes.count / 2
    let range =
      switch part {
      case .all: 0..<changes.count
      case .first: 0..<half
      case .second: half..<changes.count
      }
    for change in changes[range] { change.apply(to: realm, schemaVersion: schemaVersion) }
  }

  private func acknowledge(_ number: Int, begunAfterExchange: Bool) {
    notes.add(.acknowledged, number)
    if begunAfterExchange {
      Outcome.found(.broken, "Commit \(number) was acknowledged, and begun when the folder of the store had gone.")
    }
    let exchanges = state.withLock { state in
      state.lastNumber = max(state.lastNumber, number)
      state.commitCount += 1
      if state.commitCount >= plan.commits { state.isOver = true }
      return state.commitCount == plan.exchangeAfter
    }
    if exchanges, let exchange = plan.exchange {
      exchange.perform(arguments.url.deletingLastPathComponent().path)
      state.withLock { $0.isExchanged = true }
      notes.add(.exchanged)
    }
  }

  private func end(_ error: any Error) {
    if plan.planted == .acknowledgesFailures { notes.add(.acknowledged, state.withLock { $0.lastNumber } + 1) }
    state.withLock { state in
      state.failure = state.failure ?? error
      state.isOver = true
    }
  }
}
