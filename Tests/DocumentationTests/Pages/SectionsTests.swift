import Firn
import Testing

@MainActor @Suite struct SectionsTests {
  typealias SortDescriptor = Firn.SortDescriptor

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var status: String
  }

  @Test func page() throws {
    let realm = try makeRealm(Flight.self)
    try realm.write {
      for (id, status) in [("B6-1", "late"), ("LX-2", "boarding"), ("B6-3", "boarding")] {
        realm.create(Flight.self, value: [id, status])
      }
    }
    let printed = Printout.of {
      let sections = realm.objects(Flight.self).sectioned(by: \.status)
      for section in sections {
        print(section.key, section.map(\.id))
      }
      let letters = realm.objects(Flight.self).sectioned(
        by: { String($0.id.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "id")])
      print(letters.allKeys)
    }
    #expect(printed == "boarding [\"LX-2\", \"B6-3\"]\nlate [\"B6-1\"]\n[\"B\", \"L\"]\n")
  }
}
