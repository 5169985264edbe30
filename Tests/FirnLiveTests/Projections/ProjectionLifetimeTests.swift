import FirnReactive
import TestSupport
import Testing

@testable import Firn

private final class SelfObserving: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.title) var title
  private var token: NotificationToken?
  private(set) var heard: [String] = []

  func start() {
    token = observe { [weak self] (change: ObjectChange<SelfObserving>) in
      guard let self, case .change(let line, _) = change else { return }
      heard.append(line === self ? title : "another")
    }
  }
}

@Suite struct ProjectionLifetimeTests {
  @Test func projectionsThatKeepTheirTokensAreLetGo() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      var line: SelfObserving? = SelfObserving(projecting: track)
      weak let kept = line
      line?.start()
      try realm.write { track.title = "a" }
      realm.refresh()
      #expect(line?.heard == ["a"])
      line = nil
      #expect(kept == nil)
      #expect(realm.instance.observers().folded == nil)
      #expect(realm.instance.observers().stage.isWithoutSubscriptions)
    }
  }

  @Test func observersOutliveTheProjectionTheyWereMadeWith() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      var lines: [TrackTitle] = []
      let token = TrackTitle(projecting: track).observe { (change: ObjectChange<TrackTitle>) in
        if case .change(let line, _) = change { lines.append(line) }
      }
      for title in ["a", "b"] {
        try realm.write { track.title = title }
        realm.refresh()
      }
      #expect(lines.map(\.title) == ["b", "b"])
      #expect(lines[0] === lines[1])
      withExtendedLifetime(token) {}
    }
  }
}
