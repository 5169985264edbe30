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

  /// The pages say so of an element whose place in its section changes because others go.
  @Test func elementsThatOnlyShiftAreModified() throws {
    let realm = try makeRealm(Flight.self)
    try realm.write {
      for id in ["B6-1", "B6-2", "B6-3"] { realm.create(Flight.self, value: [id, "late"]) }
    }
    var told = ""
    let sections = realm.objects(Flight.self).sectioned(by: { String($0.id.prefix(2)) }, sortDescriptors: ["id"])
    let token = sections.observe { change in
      guard case .update(_, let deletions, let insertions, let modifications, _, _) = change else { return }
      told = "\(deletions) \(insertions) \(modifications)"
    }
    realm.refresh()
    try realm.write {
      realm.delete(realm.objects(Flight.self)[0])
      realm.object(ofType: Flight.self, forPrimaryKey: "B6-3")?.status = "boarding"
    }
    realm.refresh()
    #expect(told == "[[0, 0]] [] [[0, 2]]")
    token.invalidate()
  }
}
