import Firn
import Foundation
import TestSupport
import Testing

private final class Author: Object {
  @Persisted var firstName: String
  @Persisted var lastName: String
  @Persisted var nick: String
  @Persisted var prefersNick: Bool
  @Persisted var books: List<String>
  @Persisted var editor: Author?
  @Persisted var rank: Rank

  var initial: String { String(lastName.prefix(1)) }
  var fullName: String { "\(lastName), \(firstName)" }
  /// Has the type of the property that it reads.
  var loudName: String { lastName.uppercased() }
  /// Gives the property itself.
  var surname: String { lastName }
  /// Does not read the nickname of a new object.
  var shownName: String { prefersNick ? nick : lastName }
  var bookCount: Int { books.count }
  var editorInitial: String { String(editor?.lastName.prefix(1) ?? "") }
  var otherRank: Rank { rank == .junior ? .senior : .junior }

  // Each gives back what it reads for most values.
  var lastWord: String { String(lastName.split(separator: "/").last ?? "") }
  var named: String { lastName.isEmpty ? "(unnamed)" : lastName }
  var short: String { String(lastName.prefix(10)) }
  var editorName: String { editor?.lastName ?? "none" }
  var firstBook: String { books.first ?? "" }

  enum Rank: String, PersistableEnum { case junior, senior }

  override static func shouldIncludeInDefaultSchema() -> Bool { false }

  convenience init(_ lastName: String, _ firstName: String) {
    self.init()
    (self.lastName, self.firstName) = (lastName, firstName)
  }

  static func realm() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Author.self]))
    try realm.write {
      for (last, first) in [("box", "Ann"), ("ape", "Cid"), ("bag", "Bo"), ("bag", "Al")] {
        realm.add(Author(last, first))
      }
    }
    return realm
  }
}

private final class Line: Projection<Author> {
  @Projected(\Author.lastName) var name
  @Projected(\Author.fullName) var fullName
  @Projected(\Author.shownName) var shownName
  @Projected(\Author.nick) var nick

  var first: String { String(name.prefix(1)) }
}

/// A key path to a computed property is evaluated, and follows everything that it reads.
@Suite struct ComputedKeyPathTests {
  private func shown<Key>(_ sections: SectionedResults<Key, Author>) -> [String] {
    sections.map { "\($0.key): " + $0.map { "\($0.lastName) \($0.firstName)" }.joined(separator: ", ") }
  }

  @Test func sectionsHaveTheComputedKeys() throws {
    try onOwnThread {
      let authors = try Author.realm().objects(Author.self)
      #expect(shown(authors.sectioned(by: \.initial)) == ["a: ape Cid", "b: bag Bo, bag Al, box Ann"])
      #expect(
        shown(authors.sectioned(by: \.initial, ascending: false)) == ["b: box Ann, bag Bo, bag Al", "a: ape Cid"])
      #expect(
        shown(authors.sectioned(by: \.fullName)) == [
          "ape, Cid: ape Cid", "bag, Al: bag Al", "bag, Bo: bag Bo", "box, Ann: box Ann",
        ])
      #expect(authors.sectioned(by: \.loudName).allKeys == ["APE", "BAG", "BOX"])
      #expect(authors.sectioned(by: \.surname).allKeys == ["ape", "bag", "box"])
      #expect(
        shown(authors.sectioned(by: \.initial, sortDescriptors: ["lastName", "firstName"])) == [
          "a: ape Cid", "b: bag Al, bag Bo, box Ann",
        ])
      #expect(authors.sectioned(by: \.otherRank).allKeys == [.senior])
      #expect(authors.freeze().sectioned(by: \.initial).allKeys == ["a", "b"])
      #expect(authors.where { $0.lastName == "none" }.sectioned(by: \.initial).isEmpty)
    }
  }

  @Test func computedPropertiesThatGiveBackMostValuesAreEvaluated() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let authors = realm.objects(Author.self)
      try realm.write {
        authors[0].lastName = "a/b"
        authors[1].lastName = ""
        authors[2].lastName = "A name that is long"
        authors[2].editor = authors[3]
        authors[3].books.append("One")
      }
      #expect(Set(authors.sectioned(by: \.lastWord).allKeys) == ["b", "", "A name that is long", "bag"])
      #expect(Set(authors.sectioned(by: \.named).allKeys) == ["a/b", "(unnamed)", "A name that is long", "bag"])
      #expect(Set(authors.sectioned(by: \.short).allKeys) == ["a/b", "", "A name tha", "bag"])
      #expect(Set(authors.sectioned(by: \.editorName).allKeys) == ["none", "bag"])
      #expect(authors.sectioned(by: \.firstBook).allKeys == ["", "One"])
      // Links, elements and unwrapped values are no computation.
      #expect(authors.sorted(by: \.editor?.lastName).first?.editor?.lastName != "none")
      // Objects without the link are left out.
      #expect(authors.distinct(by: [\Author.editor!.lastName]).count == 1)
    }
  }

  @Test func sectionsFollowWhatIsRead() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let authors = realm.objects(Author.self)
      let sections = authors.sectioned(by: \.shownName)
      var told: [[String]] = []
      let token = sections.observe { change in
        switch change {
        case .initial(let sections): told.append(sections.allKeys)
        case .update(let sections, _, _, _, _, _): told.append(sections.allKeys)
        }
      }
      realm.refresh()
      try realm.write {
        let author = authors.where { $0.lastName == "ape" }.first!
        author.nick = "Zed"
        author.prefersNick = true
      }
      // Nobody reads the nickname of a new object, and yet it decides.
      #expect(Set(sections.allKeys) == ["Zed", "bag", "box"])
      try realm.write { authors.where { $0.nick == "Zed" }.first!.nick = "Yak" }
      realm.refresh()
      #expect(Set(told.last ?? []) == ["Yak", "bag", "box"])
      #expect(Set(sections.allKeys) == ["Yak", "bag", "box"])
      token.invalidate()
    }
  }

  @Test func sectionsOfWhatCannotBeSortedByKeepTheOrder() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let authors = realm.objects(Author.self)
      try realm.write {
        authors[1].books.append("One")
        authors[2].editor = authors[0]
      }
      #expect(
        shown(authors.sectioned(by: \.bookCount)) == ["0: box Ann, bag Bo, bag Al", "1: ape Cid"])
      #expect(
        shown(authors.sectioned(by: \.editorInitial)) == [": box Ann, ape Cid, bag Al", "b: bag Bo"]
          || shown(authors.sectioned(by: \.editorInitial)) == ["b: bag Bo", ": box Ann, ape Cid, bag Al"])
    }
  }

  @Test func sectionsOfProjections() throws {
    try onOwnThread {
      let lines = try Author.realm().objects(Line.self)
      #expect(lines.sectioned(by: \.first).allKeys == ["a", "b"])
      #expect(lines.sectioned(by: \.fullName).allKeys == ["ape, Cid", "bag, Al", "bag, Bo", "box, Ann"])
      #expect(lines.sectioned(by: \.name).allKeys == ["ape", "bag", "box"])
      #expect(
        lines.sectioned(by: \.first, sortDescriptors: [SortDescriptor(keyPath: \Line.name)]).allKeys == ["a", "b"])
    }
  }

  @Test func sortingFollowsEverythingThatIsRead() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let order = ["ape, Cid", "bag, Al", "bag, Bo", "box, Ann"]
      #expect(realm.objects(Author.self).sorted(by: \.fullName).map(\.fullName) == order)
      #expect(realm.objects(Author.self).sorted(by: \.fullName, ascending: false).map(\.fullName) == order.reversed())
      #expect(realm.objects(Line.self).sorted(by: \.fullName).map(\.fullName) == order)
    }
  }

  @Test func observersHearOfEverythingThatIsRead() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let author = realm.objects(Author.self).sorted(by: \.lastName).first!
      var (objectChanges, resultChanges) = ([String](), [[Int]]())
      let tokens = [
        author.observe(keyPaths: [\Author.fullName]) { change in
          if case .change(_, let changes) = change { objectChanges += changes.map(\.name) }
        },
        realm.objects(Author.self).observe(keyPaths: [\Author.fullName]) { change in
          if case .update(_, _, _, let modifications) = change { resultChanges.append(modifications) }
        },
      ]
      realm.refresh()
      try realm.write { author.firstName = "Eve" }
      try realm.write { author.nick = "none" }
      try realm.write { author.lastName = "axe" }
      realm.refresh()
      #expect(objectChanges == ["firstName", "lastName"])
      #expect(resultChanges.count == 2 && resultChanges.allSatisfy { $0.count == 1 })
      for token in tokens { token.invalidate() }
    }
  }

  @Test func membersOfProjectionsChangeWithEverythingThatTheyRead() throws {
    try onOwnThread {
      let realm = try Author.realm()
      let line = realm.objects(Line.self).sorted(by: \.name).first!
      var changes: [String] = []
      let token = line.observe { change in
        if case .change(_, let properties) = change {
          changes += properties.map {
            "\($0.name) \($0.oldValue as? String ?? "-") \($0.newValue as? String ?? "-")"
          }
        }
      }
      realm.refresh()
      func written(_ body: () -> Void) throws -> [String] {
        changes = []
        try realm.write(body)
        realm.refresh()
        return changes.sorted()
      }
      #expect(try written { line.rootObject.firstName = "Eve" } == ["fullName ape, Cid ape, Eve"])
      #expect(try written { line.rootObject.nick = "Zed" } == ["nick  Zed"])
      #expect(try written { line.rootObject.prefersNick = true } == ["shownName ape Zed"])
      // A new object does not prefer its nickname, and so does not read it.
      #expect(try written { line.rootObject.nick = "Yak" } == ["nick Zed Yak"])
      // A property that is read counts with an equal value, too.
      let both = try written { (line.rootObject.firstName, line.rootObject.lastName) = ("Al", "bag") }
      #expect(both == ["fullName ape, Eve bag, Al", "name ape bag", "shownName Yak Yak"])
      #expect(try written { line.rootObject.rank = .senior }.isEmpty)
      token.invalidate()
    }
  }

  @Test func conditionsRefuseComputedKeyPaths() async {
    let trap1 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Author.realm().objects(Author.self).where { $0.initial == "a" }
    }
    expectSaid("Cannot query on a key path of 'Author' that is computed: it reads 'lastName'.", trap1)
    let trap2 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Author.realm().objects(Author.self).where { $0.loudName == "APE" }
    }
    expectSaid("Cannot query on a key path of 'Author' that is computed: it reads 'lastName'.", trap2)
    let trap3 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Author.realm().objects(Author.self).distinct(by: [\Author.initial])
    }
    expectSaid("Cannot make distinct on a key path of 'Author' that is computed: it reads 'lastName'.", trap3)
    let trap4 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Author.realm().objects(Author.self).grouped(by: \.initial).count
    }
    expectSaid("Cannot group on a key path of 'Author' that is computed: it reads 'lastName'.", trap4)
    let trap5 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SortDescriptor(keyPath: \Author.fullName)
    }
    expectSaid("Cannot sort on a key path of 'Author' that is computed: it reads 'lastName', 'firstName'.", trap5)
    let trap6 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Author.realm().objects(Author.self).sorted(by: \.bookCount)
    }
    expectSaid("Cannot sort on a key path of 'Author' that is computed: it reads 'books'.", trap6)
  }

  @Test func propertiesUnderOtherNamesAreTaken() throws {
    try onOwnThread {
      let authors = try Author.realm().objects(Author.self)
      #expect(authors.where { $0.surname == "ape" }.count == 1)
      #expect(authors.distinct(by: [\Author.surname]).count == 3)
      #expect(authors.grouped(by: \.surname).count == 3)
    }
  }

  private func expectSaid(_ text: String, _ result: ExitTest.Result?) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(text), "said: \(said.prefix(500))")
  }
}
