import Firn
import FirnEngine
import Foundation
import TestSupport
import Testing

/// A property gets another name, and the rename is declared late or not at all.
@Suite struct ForgottenRenameTests {
  @Test func anOpeningAtAnEqualVersionIsRefused() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(40)
    let forgotten = files.configuration(Forgotten.types)
    let names = try files.names()
    let error = #expect(throws: Realm.Error.self) { try opened(forgotten) }
    #expect(error?.code == .schemaMismatch)
    let text = error?.localizedDescription ?? ""
    for part in [
      "Property 'Book.title' has been added, while 'name' of the same type has been removed",
      "declare renamedProperties in 'Book' as [\"name\": \"title\"] and raise Configuration.schemaVersion",
      "declare removedProperties as [\"name\"]", "Raise Configuration.schemaVersion above 0",
    ] { #expect(text.contains(part), "\(text)") }
    #expect(try files.names() == names)
    let plan = try Realm.planMigration(for: forgotten)
    #expect(plan.isRefused)
    let change = try #require(plan.changes.first { $0.kind == .propertyPerhapsRenamed })
    #expect(change.needsNewVersion && change.lostValueCount == 0)
    // Reading only would show empty titles as well.
    var reading = forgotten
    reading.readOnly = true
    #expect(throws: Realm.Error.self) { try opened(reading) }
    var strict = forgotten
    strict.additionsNeedVersion = true
    let second = #expect(throws: Realm.Error.self) { try opened(strict) }
    #expect(second?.localizedDescription.contains("declare removedProperties as [\"name\"]") == true)
    // Nothing was written: the program of before goes on.
    let realm = try opened(files.configuration(Library.types))
    #expect(realm.objects(Library.Book.self).where { $0.name == "Name 7" }.count == 1)
  }

  @Test func theDeclaredRenameKeepsTheValues() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(12)
    let realm = try opened(files.configuration(Renamed.types, version: 1))
    for (number, book) in realm.objects(Renamed.Book.self).enumerated() { checkRecovered(book, number) }
  }

  @Test func aRaisedVersionDropsThemAndSaysSo() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(1_200, checkpoint: true)
    try autoreleasing {
      let realm = try opened(files.configuration(Library.types))
      try realm.write {
        realm.delete(realm.objects(Library.Book.self)[3])
        for _ in 0..<3 { realm.create(Library.Book.self) }
      }
    }
    let configuration = files.configuration(Forgotten.types, version: 1)
    let plan = try Realm.planMigration(for: configuration)
    #expect(!plan.isRefused)
    let change = try #require(
      plan.changes.first { $0.kind == .propertyRemoved && $0.description.contains("'Book.name'") })
    #expect(change.lostValueCount == 1_202)
    #expect(change.description.hasSuffix("This drops 1,202 values of 'name'."), "\(change.description)")
    #expect(plan.changes.allSatisfy { $0.kind != .propertyPerhapsRenamed })
    let realm = try opened(configuration)
    #expect(realm.objects(Forgotten.Book.self).count == 1_202)
    #expect(realm.objects(Forgotten.Book.self).allSatisfy { $0.title.isEmpty })
  }

  @Test func lostValuesAreLogged() async {
    await #expect(processExitsWith: .success) {
      let lines = Lock([String]())
      Logger.shared = Logger(level: .info) { level, line in
        if line.contains("values of") { lines.withLock { $0.append("\(level): \(line)") } }
      }
      for (types, block) in [(Forgotten.types, false), (Forgotten.types, true), (Retyped.types, false)] {
        let files = try TemporaryStore()
        try await files.fillBooks(1_000)
        let nothing: MigrationBlock = { _, _ in }
        try autoreleasing { _ = try opened(files.configuration(types, version: 1, block ? nothing : nil)) }
        let told = lines.withLock { lines in
          defer { lines = [] }
          return lines
        }
        let rest = block ? " unless its block took them over." : "."
        let start = block ? "info: " : "warn: "
        if told.count != 8 { fatalError("\(told)") }
        let end = " has lost 1,000 values of 'Book.name'" + rest
        if !told.contains(where: { $0.hasPrefix(start) && $0.hasSuffix(end) }) { fatalError("\(told)") }
        // Nothing is lost any more.
        try autoreleasing { _ = try opened(files.configuration(types, version: 1)) }
        if lines.withLock({ !$0.isEmpty }) { fatalError("\(lines)") }
      }
    }
  }

  @Test func aLateRenameRecoversTheValues() async throws {
    for usesBlock in [false, true] {
      let files = try TemporaryStore()
      try await files.fillBooks(12, checkpoint: usesBlock)
      try autoreleasing {
        let realm = try opened(files.configuration(NoRename.types))
        let books = realm.objects(NoRename.Book.self)
        #expect(books.count == 12 && books.allSatisfy { $0.title.isEmpty && $0.chapters.isEmpty && $0.cover == nil })
        try realm.write {
          books[2].title = "Written"
          books[2].subtitle = "Too"
          books[2].chapters.append("Only")
          books[2].pages["x"] = 1
          books[2].marks.insert(77)
          books[2].cover = Cover(value: ["color": "new"])
          books[2].author = realm.create(Author.self, value: ["born": 1])
          books[2].extra = .string("written")
          realm.create(NoRename.Book.self, value: ["title": "New"])
        }
      }
      // Also after the values went through another opening.
      try autoreleasing { _ = try opened(files.configuration(NoRename.types)) }
      let refused = #expect(throws: Realm.Error.self) { try opened(files.configuration(Renamed.types)) }
      #expect(refused?.localizedDescription.contains("'Book.name' has been renamed to 'title'") == true)
      let block: MigrationBlock = { migration, _ in
        for (old, new) in Renamed.Book.renamedProperties {
          migration.renameProperty(onType: "Book", from: old, to: new)
        }
      }
      let configuration = files.configuration(
        usesBlock ? Forgotten.types : Renamed.types, version: 1, usesBlock ? block : nil)
      let plan = try Realm.planMigration(for: configuration)
      if !usesBlock {
        #expect(plan.changes.contains { $0.kind == .propertyRenamed } && plan.rewritesFile)
        #expect(plan.changes.allSatisfy { $0.lostValueCount == 0 })
      }
      try autoreleasing { _ = try opened(configuration) }
      let realm = try opened(files.configuration(Renamed.types, version: 1))
      let books = realm.objects(Renamed.Book.self)
      #expect(books.count == 13)
      for (number, book) in books.prefix(12).enumerated() where number != 2 { checkRecovered(book, number) }
      #expect(books[2].title == "Written" && books[2].subtitle == "Too" && Array(books[2].chapters) == ["Only"])
      #expect(books[2].pages.count == 1 && Array(books[2].marks) == [77] && books[2].cover?.color == "new")
      #expect(books[2].author?.born == 1 && books[2].extra == .string("written"))
      #expect(books[12].title == "New" && books[12].subtitle == nil && books[12].chapters.isEmpty)
      #expect(realm.dynamicObjects("Cover").count == 12, "each cover has one owner")
    }
  }

  private func checkRecovered(_ book: Renamed.Book, _ number: Int) {
    #expect(book.title == "Name \(number)" && book.subtitle == (number % 3 == 0 ? nil : "Sub \(number)"))
    #expect(Array(book.chapters) == (0..<number % 4).map { "Chapter \($0)" })
    #expect(book.pages["from"] == number && book.marks.contains(number))
    #expect(book.cover?.color == "color \(number)" && book.author?.born == 1_900)
    #expect(book.extra.listValue?[0] == .int(number))
  }

  @Test func whatIsNoRenameOpens() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(3)
    try autoreleasing {
      let realm = try opened(files.configuration(OtherTypes.types))
      #expect(realm.objects(OtherTypes.Book.self).count == 3)
    }
    // The names were left behind: a new property is none of them.
    try autoreleasing {
      let realm = try opened(files.configuration(Forgotten.types))
      #expect(realm.objects(Forgotten.Book.self).allSatisfy { $0.title.isEmpty })
    }
    // Programs may take turns.
    for _ in 0..<2 {
      try autoreleasing {
        let realm = try opened(files.configuration(Library.types))
        #expect(Set(realm.objects(Library.Book.self).map(\.name)) == ["Name 0", "Name 1", "Name 2"])
      }
      try autoreleasing { _ = try opened(files.configuration(Forgotten.types)) }
    }
  }

  @Test func aPropertyThatBecomesOptionalMayBeRenamedToo() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(3)
    let error = #expect(throws: Realm.Error.self) { try opened(files.configuration(Widened.types)) }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("'Book.title' has been added, while 'name', 'about' of the same type have been removed"))
    #expect(text.contains("declare removedProperties as [\"name\", \"about\"]"), "\(text)")
    // Values of an optional property would not fit a required one.
    #expect(text.contains("'Book.text' has been added, while 'name' of the same type has been removed"), "\(text)")
  }

  @Test func deletingWins() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(3)
    var configuration = files.configuration(Forgotten.types)
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try opened(configuration).isEmpty)
  }

  @Test func otherTypesLoseValuesAndSaySo() async throws {
    let files = try TemporaryStore()
    try await files.fillBooks(5)
    let plan = try Realm.planMigration(for: files.configuration(Retyped.types, version: 1))
    let changed = try #require(plan.changes.first { $0.kind == .typeChanged })
    #expect(changed.lostValueCount == 5 && changed.description.hasSuffix("This drops 5 values of 'name'."))
    let required = try #require(plan.changes.first { $0.kind == .madeRequired })
    #expect(required.lostValueCount == 5)
    let withBlock = try Realm.planMigration(for: files.configuration(Retyped.types, version: 1) { _, _ in })
    #expect(withBlock.description.contains("5 values of 'name' unless the block takes them over."))
    let realm = try opened(files.configuration(Retyped.types, version: 1))
    #expect(realm.objects(Retyped.Book.self).allSatisfy { $0.name == 0 && $0.about.isEmpty })
  }

  @Test func declarationsHaveToFitTheClass() async throws {
    let files = try TemporaryStore()
    let error = #expect(throws: (any Error).self) { try opened(files.configuration(Contradicting.types)) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("'Book.title' is named by removedProperties as 'title', but exists."), "\(text)")
    #expect(text.contains("'Book.name' is named by removedProperties, and by renamedProperties"), "\(text)")
  }
}

private final class Cover: EmbeddedObject {
  @Persisted var color: String

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Author: Object {
  @Persisted var born: Int

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The models of the file.
private enum Library {
  final class Book: Object {
    @Persisted var name: String
    @Persisted var about: String?
    @Persisted var parts: List<String>
    @Persisted var counts: Map<String, Int>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var jacket: Cover?
    @Persisted var writer: Author?
    @Persisted var more: AnyRealmValue

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Book.self, Cover.self, Author.self] }
}

/// The same with new names for the properties of books.
private enum Forgotten {
  class Book: Object {
    @Persisted var title: String
    @Persisted var subtitle: String?
    @Persisted var chapters: List<String>
    @Persisted var pages: Map<String, Int>
    @Persisted var marks: MutableSet<Int>
    @Persisted var cover: Cover?
    @Persisted var author: Author?
    @Persisted var extra: AnyRealmValue

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Book.self, Cover.self, Author.self] }
}

/// New names, said to be none.
private enum NoRename {
  final class Book: Forgotten.Book {
    override class var removedProperties: Set<String> {
      ["name", "about", "parts", "counts", "numbers", "jacket", "writer", "more"]
    }
  }

  static var types: [ObjectBase.Type] { [Book.self, Cover.self, Author.self] }
}

/// New names, said to be the old ones.
private enum Renamed {
  final class Book: Forgotten.Book {
    override class var renamedProperties: [String: String] {
      [
        "name": "title", "about": "subtitle", "parts": "chapters", "counts": "pages", "numbers": "marks",
        "jacket": "cover", "writer": "author", "more": "extra",
      ]
    }
  }

  static var types: [ObjectBase.Type] { [Book.self, Cover.self, Author.self] }
}

/// None of the properties, and new ones of other types.
private enum OtherTypes {
  final class Book: Object {
    @Persisted var price: Double
    @Persisted var isRare: Bool
    @Persisted var codes: List<Int>
    @Persisted var seller: Seller?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Seller: Object {
    @Persisted var id: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Book.self, Seller.self] }
}

private enum Widened {
  final class Book: Object {
    @Persisted var title: String?
    @Persisted var text: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Book.self] }
}

private enum Retyped {
  final class Book: Object {
    @Persisted var name: Int
    @Persisted var about: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Book.self] }
}

private enum Contradicting {
  final class Book: Object {
    @Persisted var title: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
    override class var renamedProperties: [String: String] { ["name": "title"] }
    override class var removedProperties: Set<String> { ["title", "name"] }
  }

  static var types: [ObjectBase.Type] { [Book.self] }
}

extension TemporaryStore {
  /// Fills the file with books of the first generation.
  fileprivate func fillBooks(_ count: Int, checkpoint: Bool = false) async throws {
    let store = try await RealmStore.open(configuration(Library.types))
    try await store.write { realm in
      let author = realm.create(Author.self, value: ["born": 1_900])
      for number in 0..<count {
        let book = realm.create(Library.Book.self, value: ["name": "Name \(number)"])
        book.about = number % 3 == 0 ? nil : "Sub \(number)"
        book.parts.append(objectsIn: (0..<number % 4).map { "Chapter \($0)" })
        book.counts["from"] = number
        book.numbers.insert(number)
        book.jacket = Cover(value: ["color": "color \(number)"])
        book.writer = author
        book.more = .fromArray([.int(number)])
      }
    }
    if checkpoint { try await store.checkpoint() }
    try await store.close()
  }
}
