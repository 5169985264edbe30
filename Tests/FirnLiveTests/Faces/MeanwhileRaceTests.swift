import Foundation
import TestSupport
import Testing

@testable import Firn

/// What blocks for keys observe, and other threads end.
@Suite struct MeanwhileRaceTests {
  /// Another thread ends what a block for keys observes, just when it is registered.
  @Test func anotherThreadEndsWhatTheBlockObserves() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let player = Unchecked(realm.objects(SectionPlayer.self).first!)
      nonisolated(unsafe) var isMaking = false
      nonisolated(unsafe) var done = DispatchSemaphore(value: 0)
      let sections = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["id"]) { element in
        if isMaking {
          isMaking = false
          let tokens = (0..<3000).map { _ in player.value.observe { (_: ObjectChange<SectionPlayer>) in } }
          let end = DispatchSemaphore(value: 0)
          done = end
          Thread.detachNewThread {
            for token in tokens { token.invalidate() }
            end.signal()
          }
          usleep(100)
        }
        return element.group ?? ""
      }
      let token = sections.observe { _ in }
      realm.refresh()
      for id in 10..<20 {
        isMaking = true
        try realm.write { realm.add(SectionPlayer(id, "x", group: "b")) }
        realm.refresh()
        done.wait()
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
      }
      #expect(realm.instance.notifications?.observerCount == 1)
      token.invalidate()
      #expect(realm.instance.notifications?.observerCount == 0)
    }
  }
}
