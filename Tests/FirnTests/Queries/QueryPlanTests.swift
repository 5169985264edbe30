import Firn
import Foundation
import Testing

/// What `Results.plan` and `explain()` say.
@Suite struct QueryPlanTests {
  final class Airline: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var country: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(index: .hash) var gate: String
    @Persisted(index: .ordered) var delay: Int?
    @Persisted var status: String
    @Persisted var seats: Int
    @Persisted var bags: List<Int>
    @Persisted var airline: Airline?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func indexes() -> [Index] {
      [Index(\Flight.status, \Flight.seats), Index(\Flight.airline?.country)]
    }
  }

  private func makeRealm(flights count: Int) throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self, Airline.self]))
    try realm.write {
      let airlines = ["DE", "US"].map { realm.create(Airline.self, value: ["code": $0, "country": $0]) }
      for id in 0..<count {
        realm.create(
          Flight.self,
          value: [
            "id": id, "gate": "A\(id % 20)", "delay": id % 3 == 0 ? nil : id,
            "status": id % 100 == 0 ? "late" : "on time",
            "seats": id % 50, "bags": [id], "airline": id % 200 == 0 ? airlines[0] : airlines[1],
          ] as [String: Any?])
      }
    }
    return realm
  }

  @Test func everyWayIn() throws {
    let realm = try makeRealm(flights: 8_000)
    let flights = realm.objects(Flight.self)
    let german = try #require(realm.object(ofType: Airline.self, forPrimaryKey: "DE"))
    let texts: [(Results<Flight>, String, Int)] = [
      (flights, "all rows of Flight", 8_000),
      (flights.where { $0.seats == 1 && $0.seats == 2 && $0.id.in([Int]()) }, "no rows", 0),
      (flights.where { $0.id == 7 }, "primary key id", 1),
      (flights.where { $0.gate == "A3" }, "index gate", 400),
      (flights.where { $0.airline == german }, "link airline", 40),
      (flights.where { $0.delay > 7_990 }, "ordered index delay", 6),
      (flights.where { $0.delay.contains(10...20) }, "ordered index delay", 8),
      (flights.where { $0.delay.in([1, 2, 3, 70]) }, "ordered index delay", 3),
      (flights.where { $0.delay > 7_990 || $0.delay < 4 }, "ordered index delay", 8),
      (flights.where { $0.delay > 7_990 || $0.gate == "A3" }, "index gate, ordered index delay", 406),
      (flights.where { $0.airline.country.starts(with: "D") }, "ordered index airline.country", 40),
      (flights.where { $0.status == "late" && $0.seats < 30 }, "ordered index status, seats", 80),
      (flights.where { $0.status.in(["late", "gone"]) && $0.seats == 0 }, "ordered index status, seats", 80),
      (
        flights.where { $0.delay > 7_990 && $0.seats == 3 }, "ordered index delay, then filter on delay, seats", 6
      ),
      (flights.where { $0.seats > 1 }, "scan of Flight with filter on seats", 8_000),
      // An index that leads to many objects is worse than a scan.
      (flights.where { $0.delay > 5 }, "scan of Flight with filter on delay", 8_000),
      (flights.where { $0.status.like("l*") }, "scan of Flight with filter on status", 8_000),
      (flights.where { !($0.delay <= 7_990) }, "scan of Flight with filter on delay", 8_000),
      (flights.where { $0.bags > 5 }, "scan of Flight with filter on bags", 8_000),
      (
        flights.sorted(by: \.delay), "all rows of Flight, in the order of ordered index delay", 8_000
      ),
      (
        flights.where { $0.status == "late" }.sorted(by: \.seats, ascending: false),
        "ordered index status, seats, in the order of ordered index status, seats", 80
      ),
      (flights.sorted(by: \.seats), "all rows of Flight, sorted by seats", 8_000),
      (
        flights.sorted(by: [SortDescriptor(keyPath: "status"), SortDescriptor(keyPath: "seats", ascending: false)]),
        "all rows of Flight, sorted by status, seats descending", 8_000
      ),
      (
        flights.sorted(byKeyPath: "delay", nilsLast: true).limit(3),
        "all rows of Flight, sorted by delay, nil last, then 3 from position 0 on", 8_000
      ),
    ]
    for (results, text, count) in texts {
      #expect(results.explain() == text)
      #expect(results.plan.candidateCount == count, "\(text)")
    }
  }

  @Test func plansAreData() throws {
    let realm = try makeRealm(flights: 900)
    let flights = realm.objects(Flight.self)
    let plan = flights.where { $0.status == "late" && $0.seats < 30 && $0.gate != "A1" }.sorted(by: \.id).plan
    guard case .indexes(let indexes) = plan.source else { return #expect(Bool(false), "\(plan)") }
    #expect(indexes.map(\.kind) == [.ordered] && indexes.map(\.keyPaths) == ["status, seats"])
    #expect(plan.filteredKeyPaths == ["gate", "seats", "status"] && plan.candidateCount == 9)
    #expect(plan.order == .sort(["id"]) && plan.steps == [])
    #expect(flights.where { $0.seats > 4 }.plan.source == .scan(of: "Flight"))
    #expect(flights.distinct(by: ["gate"]).limit(2).plan.steps == ["distinct by gate", "2 from position 0 on"])
    let bags = try #require(flights.first).bags
    #expect(bags.where { $0 > 3 }.plan.source == .collection("list Flight.bags"))
  }

  /// What a transaction wrote is in the indexes as soon as it is asked for.
  @Test func transactionsUseIndexes() throws {
    let realm = try makeRealm(flights: 900)
    let flights = realm.objects(Flight.self)
    let late = flights.where { $0.delay > 890 }
    let worst = flights.sorted(by: \.delay, ascending: false)
    try realm.write {
      for step in 0..<50 {
        let flight = try #require(realm.object(ofType: Flight.self, forPrimaryKey: step))
        flight.delay = 10_000 + step
        #expect(late.explain() == "ordered index delay")
        #expect(late.count == 6 + step + 1 && worst.first?.id == step)
        #expect(flights.max(of: \.delay) == 10_000 + step)
        realm.create(Flight.self, value: ["id": 1_000 + step, "delay": -1])
        realm.delete(try #require(realm.object(ofType: Flight.self, forPrimaryKey: 300 + step)))
        #expect(flights.where { $0.delay == -1 }.count == step + 1)
        #expect(worst.explain() == "all rows of Flight, in the order of ordered index delay")
        #expect(worst.last?.delay == nil && worst.count == 900)
      }
    }
    #expect(late.count == 56)
  }

  @Test func nothingAndOne() throws {
    for count in [0, 1] {
      let flights = try makeRealm(flights: count).objects(Flight.self)
      #expect(flights.where { $0.status == "late" }.count == count)
      #expect(flights.where { $0.status == "late" }.explain() == "ordered index status, seats")
      #expect(flights.sorted(by: \.delay).first?.id == (count == 0 ? nil : 0))
      #expect(flights.sorted(by: \.delay, ascending: false).last?.id == (count == 0 ? nil : 0))
      #expect(flights.sorted(by: \.delay).limit(0).count == 0)
      let least: Int? = flights.min(of: \.delay)
      #expect(least == nil)
    }
  }

  @Test func transactionsThatWriteMuch() throws {
    let realm = try makeRealm(flights: 3_000)
    let flights = realm.objects(Flight.self)
    try realm.write {
      for id in 0..<3_000 { realm.object(ofType: Flight.self, forPrimaryKey: id)?.seats = 100 + id }
      #expect(flights.where { $0.status == "late" && $0.seats >= 3_000 }.count == 1)
      #expect(flights.where { $0.status == "late" }.sorted(by: \.seats).first?.id == 0)
    }
    realm.beginWrite()
    for id in 0..<3_000 { realm.object(ofType: Flight.self, forPrimaryKey: id)?.seats = -id }
    #expect(flights.where { $0.status == "late" }.sorted(by: \.seats).first?.id == 2_900)
    realm.cancelWrite()
    #expect(flights.where { $0.status == "late" }.sorted(by: \.seats).first?.id == 0)
  }
}
