import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct AsyncOpenPublisherTests {
  @Test func sendsTheRealmOfTheQueueAndFinishes() {
    let (queue, log) = (DispatchQueue(label: "opened"), Log())
    let sink = Realm.asyncOpen(configuration: People.configuration()).receive(on: queue).sink { completion in
      if case .finished = completion { log.add("finished") }
    } receiveValue: { realm in
      dispatchPrecondition(condition: .onQueue(queue))
      log.add("\(realm.isEmpty)")
    }
    log.wait(for: 2)
    #expect(log.all == ["true", "finished"])
    queue.sync {}
    withExtendedLifetime(sink) {}
  }

  @Test func sendsTheError() {
    let (queue, log) = (DispatchQueue(label: "opened"), Log())
    var configuration = People.configuration()
    configuration.fileURL = URL(fileURLWithPath: "/no/such/folder/at/all")
    let sink = Realm.asyncOpen(configuration: configuration).receive(on: queue).sink { completion in
      if case .failure(let error) = completion { log.add("\(error is Realm.Error)") }
    } receiveValue: { _ in
      log.add("a realm")
    }
    log.wait(for: 1)
    #expect(log.all == ["true"])
    withExtendedLifetime(sink) {}
  }

  @Test func opensWithTheFirstDemandAndNotAfterCancelling() {
    let (queue, log) = (DispatchQueue(label: "opened"), Log())
    let publisher = Realm.asyncOpen(configuration: People.configuration()).receive(on: queue)
    let recorder = publisher.recorded(.none)
    recorder.onValue = { _ in log.add("realm") }
    let cancelled = publisher.recorded(.none)
    cancelled.onValue = { _ in log.add("cancelled") }
    cancelled.cancel()
    cancelled.request(.unlimited)
    #expect(log.all.isEmpty)
    recorder.request(.max(1))
    recorder.request(.max(1))
    log.wait(for: 1)
    queue.sync {}
    #expect(log.all == ["realm"])
  }

  @Test func whatIsCancelledWhileItOpensIsNotSent() {
    let (queue, log) = (DispatchQueue(label: "opened"), Log())
    let publisher = Realm.asyncOpen(configuration: People.configuration()).receive(on: queue)
    let (cancelled, other) = (publisher.recorded(.none), publisher.recorded(.none))
    cancelled.onValue = { _ in log.add("cancelled") }
    other.onValue = { _ in log.add("realm") }
    // Nothing is sent before the queue goes on.
    queue.suspend()
    cancelled.request(.unlimited)
    cancelled.cancel()
    other.request(.unlimited)
    queue.resume()
    log.wait(for: 1)
    for _ in 0..<3 { queue.sync {} }
    #expect(log.all == ["realm"] && cancelled.completions.isEmpty)
  }
}
