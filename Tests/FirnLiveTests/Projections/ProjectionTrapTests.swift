import Foundation
import TestSupport
import Testing

@testable import Firn

/// Mistakes with projections end the process with a sentence that names the rule.
@Suite struct ProjectionTrapTests {
  @Test func keyPathsThatReadNothingStored() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Projecting.realm()
      // Without a projection nothing is wrong yet.
      if realm.objects(NoPartOfTrack.self).count != 3 { exit(EXIT_SUCCESS) }
      _ = realm.objects(NoPartOfTrack.self)[0]
    }
    #expect(said("@Projected property 'notes' must be a part of Realm object", result))
  }

  @Test func keyPathsThatReadNothingStoredOfUnmanagedRoots() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NoPartOfTrack(projecting: ProjectedTrack())
    }
    #expect(said("@Projected property 'notes' must be a part of Realm object", result))
  }

  @Test func writingThroughAKeyPathThatOnlyReads() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Projecting.realm()
      try realm.write { realm.objects(TrackLine.self)[0].city = "x" }
    }
    #expect(said("KeyPath is not writable", result))
  }

  @Test func writingOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Projecting.realm().objects(TrackLine.self)[0].title = "x"
    }
    #expect(said("write transaction", result))
  }

  @Test func writingFrozenProjections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Projecting.realm()
      let line = realm.objects(TrackLine.self)[0].freeze()
      try realm.write { line.title = "x" }
    }
    #expect(said("frozen", result))
  }

  @Test func observingUnmanagedRoots() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TrackLine(projecting: ProjectedTrack()).observe { _ in }
    }
    #expect(said("managed by a Realm", result))
  }

  @Test func observingUnmanagedRootsOnActors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await TrackLine(projecting: ProjectedTrack()).observe(on: MainActor.shared) { _, _ in }
    }
    #expect(said("managed by a Realm", result))
  }

  @Test func observingFrozenProjections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Projecting.realm().objects(TrackLine.self)[0].freeze().observe { _ in }
    }
    #expect(said("Frozen Realms do not change", result))
  }

  @Test func observingAfterChangesInATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Projecting.realm()
        let line = realm.objects(TrackLine.self)[0]
        try realm.write {
          line.title = "x"
          _ = line.observe { _ in }
        }
      }
    }
    #expect(said("after making changes in a write transaction", result))
  }

  @Test func freezingUnmanagedRoots() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TrackLine(projecting: ProjectedTrack()).freeze()
    }
    #expect(said("Unmanaged objects cannot be frozen", result))
  }

  @Test func referencesToUnmanagedRoots() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ThreadSafeReference(to: TrackLine(projecting: ProjectedTrack()))
    }
    #expect(said("unmanaged object", result))
  }

  @Test func conditionsOnMembersThatAreNotProjected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Projecting.realm().objects(TrackLine.self).where { $0.mark == 1 }
    }
    #expect(said("a property that is not persisted", result))
  }

  @Test func sortingByMembersThatAreNotProjected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Projecting.realm().objects(TrackLine.self).sorted(by: \.mark)
    }
    #expect(said("is not a projected property", result))
  }

  @Test func observingMembersThatAreNotProjected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        _ = try Projecting.realm().objects(TrackLine.self)[0].observe(keyPaths: [\.mark]) { _ in }
      }
    }
    #expect(said("does not lead to a projected property", result))
  }

  @Test func positionsOutOfBounds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Projecting.realm().objects(TrackLine.self)[0].nicks[2]
    }
    #expect(said("out of bounds", result))
  }

  @Test func observingProjectedCollectionsOfUnmanagedRoots() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ProjectedTrack().players.projectTo.nick.observe { _ in }
    }
    #expect(said("only supported on managed collections", result))
  }

  @Test func collectionsOfModelsHoldNoProjections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      do {
        let configuration = Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [ProjectedTrack.self, HoldsProjections.self])
        _ = try Realm(configuration: configuration)
      } catch { fatalError("\(error)") }
    }
    #expect(said("holds projections, which cannot be stored", result))
  }
}

/// A model that asks for too much.
private final class HoldsProjections: Object {
  @Persisted var lines: List<TrackTitle>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Whether a process that was meant to trap said why.
private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}
