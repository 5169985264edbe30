import Firn
import Testing

@MainActor @Suite struct LiveValuesTests {
  enum Status: String, PersistableEnum {
    case boarding, departed
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var status: Status
    @Persisted var gate: String
    @Persisted var delay: Int?
  }

  @Test func valuesAndGroups() throws {
    let realm = try makeRealm(Flight.self)
    let told = try Printout.of {
      let flights = realm.objects(Flight.self)
      let delays = flights.where { $0.delay > 30 }.liveValue { ($0.count, $0.average(of: \.delay)) }
      let token = delays.observe { count, average in
        print("\(count) late, \(average ?? 0) minutes")
      }
      realm.refresh()
      try realm.write {
        for (id, delay) in [40, 45, 5].enumerated() {
          realm.create(Flight.self, value: ["id": id, "delay": delay])
        }
      }
      realm.refresh()
      token.invalidate()
      print(delays.value.0)

      let byStatus = flights.grouped(by: \.status) { ($0.average(of: \.delay), $0.max(of: \.delay)) }
      for group in byStatus {
        let (average, worst) = group.values
        print(group.key, group.count, average ?? 0, worst ?? 0)
      }
      let byGate = flights.grouped(by: \.status, \.gate)
      print(byGate.group(for: (.boarding, "B7"))?.count ?? 0)

      let watching = byStatus.observe { change in
        if case .update(let groups, let deletions, let insertions, let modifications) = change {
          print(groups.map(\.key), "gone:", deletions, "new:", insertions, "changed:", modifications)
        }
      }
      realm.refresh()
      try realm.write {
        realm.create(Flight.self, value: ["id": 9, "status": "departed", "delay": 1])
      }
      realm.refresh()
      watching.invalidate()
    }
    let lines = told.split(separator: "\n")
    #expect(lines.dropLast() == ["0 late, 0.0 minutes", "2 late, 42.5 minutes", "2", "boarding 3 30.0 45", "0"])
    #expect(lines.last?.hasSuffix("gone: [] new: [1] changed: []") == true)
  }
}
