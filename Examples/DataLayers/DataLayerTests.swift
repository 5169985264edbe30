import Firn
import Foundation
import Testing

/// Models and data layers in the styles that projects have, in the language mode that most of them have.
@Suite struct DataLayerTests {
  private func configuration() -> Realm.Configuration { .init(inMemoryIdentifier: UUID().uuidString) }

  /// Repositories open their realm where they are used first.
  @MainActor @Test func repositories() throws {
    let contacts = RealmRepository<Contact>(configuration())
    let ada = Contact(name: "Ada Lovelace")
    ada.addresses.append(PostalAddress(value: ["street": "St James's Square", "city": "London"]))
    ada.tags.insert("maths")
    try contacts.save([ada, Contact(name: "Grace Hopper", channel: .phone)])
    #expect(try contacts.all(sortedBy: "name", ascending: false).map(\.initials) == ["GH", "AL"])
    #expect(try contacts.find { $0.channel == .phone }.first?.name == "Grace Hopper")
    #expect(contacts.first(ada._id)?.addresses.first?.city == "London")
    #expect(contacts.first(ada._id)?.id == ada.id)
    try contacts.update { ada.name = "Ada King" }
    #expect(ada.initials == "AK" && ada.isSelected == false)
    try contacts.remove(ada)
    #expect(ada.isInvalidated)
    #expect(try contacts.find { $0.channel == .phone }.toArray(Contact.self).count == 1)
    try contacts.removeAll()
    #expect(try contacts.all().isEmpty)
  }

  @MainActor @Test func aListModelFollowsItsRealm() async throws {
    let model = ContactListModel(configuration())
    try model.add("Grace")
    model.start()
    try model.add("Ada")
    model.realm.refresh()
    #expect(model.rows == ["Ada", "Grace"] && model.changeCount == 1)
    try await model.rename(#require(model.realm.objects(Contact.self).last), to: "Zuse")
    model.realm.refresh()
    #expect(model.rows == ["Grace", "Zuse"])
    try model.delete(at: [0])
    model.realm.refresh()
    #expect(model.rows == ["Zuse"])
  }

  @Test func settingsAreWrittenFromNoActor() async throws {
    let configuration = configuration()
    let storage = SettingsStorage(configuration)
    try await storage.save(Setting("volume", .int(7)))
    try await storage.save(Setting("volume", .int(8)))
    #expect(await storage.value("volume") == .int(8))
    #expect(try await SettingsStorage.open(configuration) == 1)
  }

  @Test func anActorHasARealm() async throws {
    let configuration = configuration()
    let groups = try await GroupActor(configuration)
    try await groups.createGroup(titled: "Friends")
    try await groups.createGroup(titled: "Club")
    #expect(await groups.titles() == ["Club", "Friends"])
    let id = try #require(await groups.ids().first)
    try await groups.addMember(named: "Ada", to: id)
    #expect(try await importContacts(["Grace", "Edsger"], configuration) == 3)
    try await groups.delete(id)
    #expect(await groups.count == 1)
    await groups.close()
  }

  @Test func ordersArriveAsJSON() async throws {
    let store = try await RealmStore.open(configuration())
    let service = OrderService(store)
    let body = """
      {"id": "A1", "customer": "Ada", "placed": "2024-05-01T12:00:00Z",
       "lines": [{"article": "pen", "quantity": 2, "price": "1.5"}, {"article": "ink", "quantity": 1, "price": "4"}]}
      """
    let answer = try await service.place(Data(body.utf8))
    #expect(answer.customer == "Ada" && answer.total == 7)
    #expect(try service.order("A1") == answer)
    #expect(try service.order("B1") == nil)
    #expect(try await service.annotate("A1", "urgent"))
    #expect(try await service.annotate("B1", "urgent") == false)
    #expect(store.freeze().objects(CustomerOrder.self).first?.note == "urgent")
    #expect(try JSONDecoder().decode([OrderAnswer].self, from: service.encoded()) == [answer])
    await #expect(throws: DecodingError.self) { try await service.place(Data("{}".utf8)) }

    let suppliers = """
      [{"no": 1, "company_name": "Ink & Co", "url": "https://ink.example", "opening_hours": {"Mon": "9-5"}}]
      """
    #expect(try await service.importSuppliers(Data(suppliers.utf8)) == 1)
    let supplier = store.freeze().object(ofType: Supplier.self, forPrimaryKey: 1)
    #expect(supplier?.site == "https://ink.example" && supplier?.openingHours["Mon"] == "9-5")
  }
}
