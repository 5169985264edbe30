import FirnEngine
import Foundation
import Testing

@testable import Firn

@Suite struct UniqueTests {
  private func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: Strict.types)
  }

  private func add(_ realm: Realm, _ id: Int, _ number: String?) {
    realm.create(
      Strict.Flight.self,
      value: ["id": id, "number": number as Any, "departure": Date(timeIntervalSinceReferenceDate: Double(id))])
  }

  /// What every commit that breaks the index throws.
  private func checkRefusal(_ error: (any Error)?, _ realm: Realm) {
    #expect((error as? Realm.Error)?.code == .duplicateValue)
    #expect((error as? Realm.Error)?.localizedDescription.contains("'1' and '2'") == true)
    #expect(!realm.isInWriteTransaction)
    #expect(realm.objects(Strict.Flight.self).map(\.id) == [1])
  }

  @Test func transactionsAreRolledBack() throws {
    let realm = try Realm(configuration: configuration())
    try realm.write { add(realm, 1, "a") }
    let flights = realm.objects(Strict.Flight.self)
    checkRefusal(
      #expect(throws: Realm.Error.self) {
        try realm.write {
          add(realm, 2, "a")
          #expect(flights.count == 2)
        }
      }, realm)
    realm.beginWrite()
    flights[0].status = "changed"
    add(realm, 2, "a")
    checkRefusal(#expect(throws: Realm.Error.self) { try realm.commitWrite() }, realm)
    #expect(flights[0].status.isEmpty)
    try realm.write {
      add(realm, 2, "b")
      add(realm, 3, nil)
      add(realm, 4, nil)
    }
    try realm.write { (flights[0].number, flights[1].number) = ("b", "a") }
    #expect(flights.map(\.number) == ["b", "a", nil, nil])
    // A property behind a link.
    try realm.write {
      let airports = ["x", "y"].map { realm.create(Strict.Airport.self, value: ["city": $0]) }
      flights[0].from = airports[0]
      flights[1].from = airports[1]
      flights[1].departure = flights[0].departure
    }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.objects(Strict.Airport.self)[1].city = "x" }
    }
    #expect(error?.localizedDescription.contains("the same 'from.city, departure'") == true)
    try realm.write {
      realm.objects(Strict.Airport.self)[1].city = "x"
      realm.delete(flights[0])
    }
  }

  @MainActor @Test func everyWayToCommitIsRefused() async throws {
    let configuration = configuration()
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    try realm.write { add(realm, 1, "a") }
    do {
      try await realm.asyncWrite { add(realm, 2, "a") }
      Issue.record("an asynchronous write was committed")
    } catch { checkRefusal(error, realm) }
    let store = try await RealmStore.open(configuration)
    do {
      try await store.write { realm in add(realm, 2, "a") }
      Issue.record("a write of the store was committed")
    } catch {
      realm.refresh()
      checkRefusal(error, realm)
    }
    let outcome: (any Error)? = await withCheckedContinuation { continuation in
      realm.writeAsync({ add(realm, 2, "a") }, onComplete: { continuation.resume(returning: $0) })
    }
    checkRefusal(outcome, realm)
    // Grouped with others, which are committed.
    let outcomes: [(any Error)?] = await withCheckedContinuation { continuation in
      let found = Outcomes(continuation)
      for (id, number) in [(3, "c"), (2, "a"), (4, "d")] {
        realm.beginAsyncWrite {
          add(realm, id, number)
          realm.commitAsyncWrite(allowGrouping: true) { found.append($0) }
        }
      }
    }
    #expect(outcomes.map { ($0 as? Realm.Error)?.code } == [nil, .duplicateValue, nil])
    #expect(Set(realm.objects(Strict.Flight.self).map(\.id)) == [1, 3, 4])
    try await store.close()
  }
}

@MainActor private final class Outcomes {
  private var outcomes: [(any Error)?] = []
  private let continuation: CheckedContinuation<[(any Error)?], Never>

  init(_ continuation: CheckedContinuation<[(any Error)?], Never>) { self.continuation = continuation }

  func append(_ outcome: (any Error)?) {
    outcomes.append(outcome)
    if outcomes.count == 3 { continuation.resume(returning: outcomes) }
  }
}
