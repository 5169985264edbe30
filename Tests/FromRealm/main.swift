// Uses what the converter made of the files in Before. Ends with a message when something is not as it was.
import Firn
import Foundation

func check(_ condition: Bool, _ what: String) {
  if !condition { fatalError("the converted code fails at: \(what)") }
}

let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "program"))

// Legacy properties, backlinks and primary keys.
let owner = DogOwner()
owner.name = "Ada"
owner.dogs.append(Dog(name: "Rex", age: 1))
try realm.write { realm.add(owner) }
let dog = realm.objects(Dog.self).first!
check(dog.owners.first?.name == "Ada" && dog.isPuppy && DogOwner.primaryKey() == "id", "backlinks")
check(realm.object(ofType: DogOwner.self, forPrimaryKey: owner.id) != nil, "primary key")
check(dogsOlder(than: 0, in: realm).map(\.name) == ["Rex"] && Keys.ownerName == "owner.name", "key paths")

// Optionals, ignored and indexed properties.
let book = Book()
book.isbn = "1"
setPages(120, of: book)
book.copies.append(BookCopy())
try realm.write { realm.add(book) }
check(BookFormatter().summary(of: book) == "Untitled {: 120 pages, 3.5", "optionals")
let bookProperties = book.objectSchema.properties
check(bookProperties.filter(\.isIndexed).map(\.name).sorted() == ["isLent", "isbn", "title"], "indexes")
check(!bookProperties.contains { ["isSelected", "shelf"].contains($0.name) }, "ignored properties")
check(book.copies.first?.book?.isbn == "1", "computed properties")

// Observers of properties, members without dynamic, enumerations.
let task = TaskItem()
task.priority = -5
check(task.priority == 0, "property observers")
let thermostat = Thermostat()
thermostat.fahrenheit = 50
check(thermostat.log == ["target 20.0 -> 10.0"] && thermostat.isCold, "willSet and didSet")
let message = Message(text: "hello")
message.edit("changed")
try realm.write { realm.add(message, update: .all) }
check(message.size == 7 && message.oldState == .draft && message.kind == .text, "enumerations")
check(message.readerCount == 1, "sets")

// Names of classes, subclasses, nested and local classes.
check(Place.className() == "StoredPlace" && Trip.className() == "Trip", "names")
let vehicle = Vehicle()
vehicle.trips.append(VehicleTrip())
try realm.write { realm.add(vehicle) }
check(vehicle.trips.first?.vehicles.first == vehicle, "subclasses")
check(realm.object(ofType: Vehicle.self, forPrimaryKey: vehicle.id) == vehicle, "inherited primary keys")
let product = Shop.Product(value: ["sku": "A", "category": ["title": "Books"]])
try realm.write { realm.add(product) }
check(product.category?.products.count == 1, "nested classes")
check(try countOfLocalModels() == 2, "local classes")
let template = TemplateModel(value: ["number": 3, "title": "x"])
try realm.write { realm.add(template) }
check(realm.object(ofType: TemplateModel.self, forPrimaryKey: 3) == template, "optional keys")
check(template.objectSchema.properties.map(\.name) == ["number", "title"], "ignored names")
try realm.write { realm.add(Episode(code: "s1e1", season: 1)) }
check(realm.object(ofType: Episode.self, forPrimaryKey: "s1e1")?.season == 1, "keys by a function")
check(Station().objectSchema.primaryKeyProperty?.name == "code", "keys in an extension")
check(Ticket(code: "a", seat: 3).seat == 3 && Recipe().oven == 180, "initialisers")
check(Beacon().objectSchema.properties.count == 4, "conditions")

// Managers, repositories, settings, mapping.
let kept = RealmManager.shared.realm
RealmManager.shared.save(Dog(name: "Fido", age: 9), update: false)
RealmManager.shared.save(Contact())
check(kept.objects(Dog.self).count == 1, "adding in managers")
check(RealmManager.shared.all(Contact.self, sortedBy: "name").count == 1, "reading in managers")
RealmManager.shared.wipe()
let repository = AnyRepository<Song>(realm: realm)
try repository.insert(Song(value: ["title": "So What", "plays": 12, "genre": "jazz"]))
check(repository.find(NSPredicate(format: "plays > 10")).first?.line == "So What (jazz)", "repositories")
check(realm.objects(SongLine.self).first?.title == "So What", "projections")
check(!Song().objectSchema.properties.contains { $0.name == "scratch" }, "classes of today")
AppSettings.current(in: realm).realm?.beginWrite()
AppSettings.current(in: realm).launches += 1
try realm.commitWrite()
check(AppSettings.current(in: realm).launches == 1, "settings")
let order: [String: Any] = ["number": 1, "total": 2.5]
let customer = Customer(json: ["id": 4, "name": "Bea", "score": 7, "orders": [order]])!
try realm.write { realm.add(customer) }
check(customer.json["score"] as? Int == 7 && customer.orders.first?.total == 2.5, "mapping")
let note = try JSONDecoder().decode(
  NoteItem.self, from: Data(#"{"id": "n", "body": "text", "created": 0, "color": null}"#.utf8))
check(note.body == "text" && note.color == nil && Invoice().lines.isEmpty, "codable models")
check(RatingTestCase().passes() && Forecast().hours.isEmpty && kids(in: realm) == 0, "test cases")
check(Measurements().single == 1.5 && Quote().note == "nested deep } text end", "values")

// Observers, publishers, threads.
let notes = NotesObserver()
notes.start(realm)
let counter = FavoritesCounter()
counter.watch(realm)
let contacts = ContactsViewModel(realm: realm)
realm.refresh()
try realm.write {
  realm.add(note)
  realm.create(Contact.self, value: ["name": "Cleo", "isFavorite": true])
}
realm.refresh()
check(notes.rows == ["text"], "observers")
check(counter.updates == 1 && contacts.names == ["Cleo"], "publishers")
let renamed = DispatchSemaphore(value: 0)
DogWorker(realm.configuration).rename(dog, to: "Max") { renamed.signal() }
renamed.wait()
realm.refresh()
check(dog.name == "Max", "threads")
let readings = ReadingStore(configuration: realm.configuration)
var count = 0
readings.append([1, 2], sensor: "s") {
  count = $0
  renamed.signal()
}
renamed.wait()
check(count == 2, "queues")

// A migration of a file that an earlier version of the program wrote.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let accounts = try Realm(configuration: Schema.configuration(at: folder.appendingPathComponent("accounts.firn")))
check(accounts.objects(Account.self).isEmpty, "migrations")
print("The converted files do what they did.")
