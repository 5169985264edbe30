import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// The schedulers and publishers that Combine has for Foundation come with the module.
@Suite struct FoundationPublisherTests {
  /// Runs the run loop of the thread once; a timer keeps it from ending at once.
  private func runOnce() {
    let timer = Timer(timeInterval: 0, repeats: false) { _ in }
    RunLoop.current.add(timer, forMode: .default)
    _ = RunLoop.current.run(mode: .default, before: .distantFuture)
  }

  @Test func runLoopsAreSchedulers() throws {
    try onOwnThread {
      let people = try People(2)
      var told: [String] = []
      let changes = people.all.changesetPublisher.map(\.text).receive(on: RunLoop.current).sink { told.append($0) }
      let counts = people.all.collectionPublisher.receive(on: RunLoop.current).map(\.count).assertNoFailure()
        .sink { told.append("\($0)") }
      people.realm.refresh()
      #expect(told.isEmpty, "the run loop has not run")
      runOnce()
      #expect(told.sorted() == ["2", "initial"])
      changes.cancel()
      counts.cancel()
    }
  }

  @Test func operationQueuesAreSchedulers() throws {
    try onOwnThread {
      let people = try People(1)
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      let log = Log()
      let sink = people.all.collectionPublisher.freeze().assertNoFailure().receive(on: queue)
        .sink { people in log.add("\(people.count)") }
      people.realm.refresh()
      queue.waitUntilAllOperationsAreFinished()
      #expect(log.all == ["1"])
      sink.cancel()
    }
  }

  @Test func decodersAndNotifications() throws {
    let people = try People(3)
    let name = Notification.Name("FoundationPublisherTests \(UUID())")
    var told: [[Int]] = []
    let sink = NotificationCenter.default.publisher(for: name)
      .compactMap { $0.object as? Data }
      .decode(type: [Int].self, decoder: JSONDecoder())
      .sink { _ in
      } receiveValue: {
        told.append($0)
      }
    let bytes = try JSONEncoder().encode(people.all.map(\.age))
    NotificationCenter.default.post(name: name, object: bytes)
    #expect(told == [people.all.map(\.age)] && told.first?.count == 3)
    sink.cancel()
  }
}
