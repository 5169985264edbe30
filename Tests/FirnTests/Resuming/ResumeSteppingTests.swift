import FirnDurability
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Whichever call to the disk fails or is the last one: a subscriber goes on where it stopped.
@Suite struct ResumeSteppingTests {
  private static let kinds: [SimulatedDisk.Fault.Kind] = [.error(.noSpace), .error(.inputOutput), .stop]

  @Test(arguments: 0..<3) func subscribersGoOnAfterAFailureAtAnyCall(_ kind: Int) async throws {
    let stride = ProcessInfo.processInfo.environment["FIRN_CRASH_SEEDS"] == nil ? 12 : 1
    var call = Int.random(in: 1...stride)
    print("resumed, stepping: every \(stride). call from \(call)")
    var resumedCount = 0
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      disk.setFault(SimulatedDisk.Fault(call: call, kind: Self.kinds[kind]))
      let life = Life(disk)
      try await life.live()
      if !disk.didStop { break }
      let survivals = SimulatedDisk.Survival.allCases
      if try await life.resume(on: disk.crash(survivals[call / stride % survivals.count])) { resumedCount += 1 }
      call += stride
    }
    print("resumed, stepping: \(call) calls, \(resumedCount) resumed")
    #expect(call > 100 && resumedCount > call / stride / 2)
  }

  /// A store with subscribers that stop after each commit.
  private final class Life {
    private var configuration: Realm.Configuration
    private let subscribers = ResumedFace.all.filter { ["all", "range", "behind a link"].contains($0.name) }
      .map { $0.makeSubscriber() }
    private var hasToken = false

    init(_ disk: SimulatedDisk) {
      configuration = Resumed.configuration(disk)
      configuration.checkpoints.interval = nil
    }

    /// Until a call fails.
    func live() async throws {
      do {
        for round in 0..<2 {
          let store = try await RealmStore.open(configuration)
          defer { store.store.leaveOpenStores() }
          for step in 0..<3 {
            let seed = UInt64(10 * round + step)
            try await store.write { realm in
              var random = SeededRandom(seed)
              for _ in 0..<6 { Resumed.write(realm, &random) }
            }
            try await follow(store, mustResume: false)
            if step == 1 { try await store.checkpoint() }
          }
          try await store.close()
        }
      } catch is Realm.Error {}
    }

    /// Whether there was a subscriber to be resumed.
    func resume(on disk: SimulatedDisk) async throws -> Bool {
      configuration.fileSystem = disk
      let hadToken = hasToken
      let store = try await RealmStore.open(configuration)
      try await follow(store, mustResume: hadToken)
      try await store.close()
      return hadToken
    }

    private func follow(_ store: RealmStore, mustResume: Bool) async throws {
      for subscriber in subscribers {
        let start = try #require(await subscriber.follow(store, upTo: 1))
        if mustResume { #expect(start == .resumed) }
      }
      hasToken = true
    }
  }
}
