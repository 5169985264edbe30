import FirnDurability
import FirnEngine
import Testing

@Suite struct CatalogueTests {
  private func encoded(_ catalogue: Catalogue) -> [UInt8] {
    var writer = ByteWriter()
    catalogue.encode(into: &writer)
    return writer.array()
  }

  private func decode(_ bytes: [UInt8]) throws -> Catalogue {
    try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      let catalogue = try Catalogue(decoding: &reader)
      try reader.expectEnd()
      return catalogue
    }
  }

  private let person = TableDescription(
    name: "Person",
    columns: [
      ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
      ColumnDescription(name: "age", type: .int),
      ColumnDescription(name: "city", type: .string, isNullable: true, isIndexed: true),
      ColumnDescription(name: "friends", type: .link, collection: .list, target: TableID(0)),
    ])
  private let dog = TableDescription(
    name: "Dog", columns: [ColumnDescription(name: "owner", type: .link, target: TableID(0))])

  private func mismatch(_ schema: [TableDescription], _ rules: MergeRules = MergeRules()) throws -> String {
    let catalogue = try Catalogue().merging(schema: [person, dog]).catalogue
    do {
      _ = try catalogue.merging(schema: schema, rules)
      return "none"
    } catch let error as StoreError {
      guard case .schemaMismatch = error.code else { throw error }
      return error.message
    }
  }

  @Test func namesThatCannotBeReadAgainAreRefused() throws {
    let long = String(repeating: "n", count: 65_536)
    let column = ColumnDescription(name: long, type: .int)
    for schema in [
      TableDescription(name: long, columns: []), TableDescription(name: "A", columns: [column]),
    ] {
      let error = #expect(throws: StoreError.self) { _ = try Catalogue().merging(schema: [schema]) }
      #expect(error?.code == .fail)
    }
    let longest = TableDescription(name: String(long.dropLast()), columns: [])
    let catalogue = try Catalogue().merging(schema: [longest]).catalogue
    #expect(try decode(encoded(catalogue)) == catalogue)
  }

  @Test func aCatalogueComesBack() throws {
    var catalogue = try Catalogue().merging(schema: EffectsSchema.tables).catalogue
    catalogue.schemaVersion = 7
    #expect(try decode(encoded(catalogue)) == catalogue)
    #expect(try decode(encoded(Catalogue())) == Catalogue())
  }

  @Test func theBytesAreThoseOfTheFormat() throws {
    let catalogue = try Catalogue().merging(schema: [person, dog]).catalogue
    let expected: [UInt8] =
      [0, 3, 2]
      + [1, 6] + Array("Person".utf8) + [5, 4]
      + [1, 2] + Array("id".utf8) + [1, 8, 0]
      + [2, 3] + Array("age".utf8) + [1, 0, 0]
      + [3, 4] + Array("city".utf8) + [4, 5, 0]
      + [4, 7] + Array("friends".utf8) + [10, 2, 2]
      + [2, 3] + Array("Dog".utf8) + [2, 1]
      + [1, 5] + Array("owner".utf8) + [10, 1, 2]
    #expect(encoded(catalogue) == expected)
  }

  @Test func columnsThatTheLastProgramLackedAreMarked() throws {
    let full = try Catalogue().merging(schema: [person, dog]).catalogue
    let fewer = TableDescription(name: "Person", columns: [person.columns[0], person.columns[2]])
    let catalogue = try full.merging(schema: [fewer]).catalogue
    #expect(catalogue.tables[0].columns.map(\.isLeftBehind) == [false, true, false, true])
    #expect(catalogue.tables[1].columns.allSatisfy { !$0.isLeftBehind }, "the program lacks the whole table")
    var bytes = encoded(full)
    for name in ["age", "friends"] {
      let type = try #require(bytes.firstRange(of: Array(name.utf8))).upperBound
      bytes[type] |= 64
    }
    #expect(encoded(catalogue) == bytes)
    #expect(try decode(bytes) == catalogue)
    #expect(try catalogue.merging(schema: [person]).catalogue == full, "the next program has them")
    // A raised version drops them, and then they are nothing else.
    var rules = MergeRules()
    rules.isRaised = true
    let dropped = try catalogue.merging(schema: [fewer], rules).catalogue
    #expect(dropped.tables[0].dropped.map(\.name) == ["age", "friends"])
    #expect(try decode(encoded(dropped)) == dropped)
    var both = encoded(dropped)
    let type = try #require(both.firstRange(of: Array("age".utf8))).upperBound
    both[type] |= 64
    #expect(throws: DecodingError.self) { try decode(both) }
  }

  @Test func tablesOfTheFileStayAndNewOnesGetNewNumbers() throws {
    let catalogue = try Catalogue().merging(schema: [person, dog]).catalogue
    var owner = person
    owner.columns[3].target = TableID(1)
    let cat = TableDescription(
      name: "Cat", columns: [ColumnDescription(name: "owner", type: .link, target: TableID(1))])
    let merge = try catalogue.merging(schema: [cat, owner])
    #expect(merge.graphSchema.map(\.name) == ["Cat", "Person", "Dog"])
    #expect(merge.map.tables.map(\.id) == [3, 1, 2])
    #expect(merge.graphSchema[2].columns[0].target == TableID(1))
    #expect(merge.map.table(2) == TableID(2))
    #expect(merge.map.table(9) == nil)
    #expect(merge.map.column(3, in: TableID(1)) == ColumnID(2))
    #expect(merge.map.id(of: ColumnID(3), in: TableID(1)) == 4)
    #expect(merge.catalogue.tables.map(\.id) == [1, 2, 3])
    #expect(try merge.catalogue.merging(schema: [person, dog]).catalogue == merge.catalogue)
  }

  @Test func columnsInAnotherOrderAreTheSame() throws {
    let catalogue = try Catalogue().merging(schema: [person]).catalogue
    var other = person
    other.columns.reverse()
    let merge = try catalogue.merging(schema: [other])
    #expect(merge.catalogue == catalogue)
    other.number = 1
    #expect(merge.graphSchema == [other])
    #expect(merge.map.tables[0].columnIDs == [4, 3, 2, 1])
    #expect(merge.map.tables[0].primaryKey == 3)
  }

  @Test func theApplicationSaysWhatIsIndexed() throws {
    let catalogue = try Catalogue().merging(schema: [person]).catalogue
    var other = person
    other.columns[2].isIndexed = false
    other.columns[1].isIndexed = true
    let merge = try catalogue.merging(schema: [other])
    other.number = 1
    #expect(merge.graphSchema == [other])
    #expect(merge.catalogue != catalogue)
  }

  @Test func forReadingTheFileMayHaveMoreColumns() throws {
    let catalogue = try Catalogue().merging(schema: [person, dog]).catalogue
    let fewer = TableDescription(name: "Person", columns: [person.columns[2], person.columns[0]])
    var reading = MergeRules()
    reading.isReadOnly = true
    let merge = try catalogue.merging(schema: [fewer], reading)
    #expect(merge.graphSchema.map(\.name) == ["Person", "Dog"])
    #expect(merge.graphSchema[0].columns.map(\.name) == ["city", "id", "age", "friends"], "those come behind")
    #expect(merge.map.tables[0].columnIDs == [3, 1, 2, 4] && merge.map.tables[0].primaryKey == 1)
    #expect(merge.graphSchema[0].columns[3].target == TableID(0))
    var other = fewer
    other.columns[0].isNullable = false
    do {
      _ = try catalogue.merging(schema: [other], reading)
      Issue.record("A column became required.")
    } catch let error as StoreError {
      #expect(error.code == .fail && error.message.contains("'Person.city' has been made required."))
      #expect(error.message.hasPrefix("The following changes cannot be made in read-only schema mode:"))
    }
  }

  @Test func ownershipIsPartOfTheFileAndDeleteRulesAreNot() throws {
    var owner = dog
    owner.columns[0].linkKind = .embedded
    let catalogue = try Catalogue().merging(schema: [TableDescription(name: "Person", columns: []), owner]).catalogue
    let bytes = encoded(catalogue)
    #expect(bytes.suffix(2) == [65, 2], "flag 6 beside nullable")
    #expect(try decode(bytes) == catalogue)
    let other = try catalogue.merging(schema: [TableDescription(name: "Cat", columns: [])])
    #expect(other.graphSchema.first { $0.name == "Dog" }?.columns[0].linkKind == .embedded)

    var ruled = dog
    ruled.columns[0].linkKind = .deny
    let plain = try Catalogue().merging(schema: [person, dog]).catalogue
    let merge = try plain.merging(schema: [person, ruled])
    #expect(merge.catalogue == plain && merge.graphSchema[1].columns[0].linkKind == .deny)
    // Links to a table are of one kind.
    let message = try mismatch([person, owner])
    #expect(message.contains("'Dog.owner', <Person>, has been changed from top-level to embedded"))
    var mixed = person
    mixed.columns[3].linkKind = .embedded
    #expect(throws: StoreError.self) { try Catalogue().merging(schema: [mixed, dog]) }
    var damaged = bytes
    damaged[damaged.count - 1] = 0
    #expect(throws: DecodingError.self) { try decode(damaged) }
  }

  @Test func everyDifferenceIsListed() throws {
    var strict = MergeRules()
    strict.additionsNeedVersion = true
    #expect(try mismatch([person, dog], strict) == "none")
    var other = person
    other.columns[0].isPrimaryKey = false
    other.columns[1] = ColumnDescription(name: "age", type: .string, isNullable: true)
    other.columns[2].isNullable = false
    other.columns[3] = ColumnDescription(name: "friends", type: .link, collection: .list, target: TableID(1))
    other.columns.append(ColumnDescription(name: "email", type: .objectID))
    let beast = TableDescription(name: "Dog", columns: [])
    #expect(
      try mismatch([other, beast], strict) == """
        Migration is required due to the following errors:
        - Property 'Person.age' has been changed from 'int' to 'string'.
        - Property 'Person.city' has been made required.
        - Property 'Person.friends' has been changed from 'array<Person>' to 'array<Dog>'.
        - Property 'Person.email' has been added.
        - Primary Key for class 'Person' has been removed.
        - Property 'Dog.owner' has been removed.
        Raise Configuration.schemaVersion above 0, with a migrationBlock where values have to be computed. Or open it with the models that it was written with, or set Configuration.deleteRealmIfMigrationNeeded, which deletes what it holds.
        """)
    #expect(
      try mismatch([other, beast]) == """
        Migration is required due to the following errors:
        - Property 'Person.age' has been changed from 'int' to 'string'.
        - Property 'Person.city' has been made required.
        - Property 'Person.friends' has been changed from 'array<Person>' to 'array<Dog>'.
        - Primary Key for class 'Person' has been removed.
        A new version would also bring:
        - Property 'Person.email' has been added.
        - Property 'Dog.owner' has been removed.
        Raise Configuration.schemaVersion above 0, with a migrationBlock where values have to be computed. Or open it with the models that it was written with, or set Configuration.deleteRealmIfMigrationNeeded, which deletes what it holds.
        """)
    var third = person
    third.columns[0].isPrimaryKey = false
    third.columns[0].isNullable = true
    third.columns[2] = ColumnDescription(name: "city", type: .string, isNullable: true, isPrimaryKey: true)
    #expect(
      try mismatch([third]) == """
        Migration is required due to the following errors:
        - Property 'Person.id' has been made optional.
        - Primary Key for class 'Person' has been changed from 'id' to 'city'.
        Raise Configuration.schemaVersion above 0, with a migrationBlock where values have to be computed. Or open it with the models that it was written with, or set Configuration.deleteRealmIfMigrationNeeded, which deletes what it holds.
        """)
  }

  @Test func damagedCataloguesMakeAGraphOrThrow() throws {
    let bytes = encoded(try Catalogue().merging(schema: EffectsSchema.tables).catalogue)
    for length in bytes.indices { #expect(throws: DecodingError.self) { try decode(Array(bytes[..<length])) } }
    var random = EffectsRandom(5)
    var readable = 0
    for place in bytes.indices {
      for _ in 0..<3 {
        var bytes = bytes
        bytes[place] = random.chance(50) ? bytes[place] ^ 1 << UInt8(random.below(8)) : UInt8(random.below(256))
        guard let catalogue = try? decode(bytes) else { continue }
        readable += 1
        let merge = try catalogue.merging(schema: [])
        _ = Graph(schema: merge.graphSchema, seed: HashSeed(1, 1))
      }
    }
    #expect(readable > 0)
  }

  @Test func whatNoGraphCanHoldIsRefused() {
    func column(_ id: UInt8, _ name: String, _ type: UInt8, _ flags: UInt8, _ target: UInt8 = 0) -> [UInt8] {
      [id, UInt8(name.utf8.count)] + Array(name.utf8) + [type, flags, target]
    }
    func table(_ columns: [UInt8]..., next: UInt8 = 9) -> [UInt8] {
      [0, 9, 1, 1, 1, 84, next, UInt8(columns.count)] + columns.joined()
    }
    #expect(throws: Never.self) { try decode(table(column(1, "a", 1, 0), column(2, "l", 10, 1, 2))) }
    let refused: [(String, [UInt8])] = [
      ("is not below the next", table(column(9, "a", 1, 0))),
      ("is that of another column", table(column(1, "a", 1, 0), column(1, "b", 1, 0))),
      ("two columns", table(column(1, "a", 1, 0), column(2, "a", 1, 0))),
      ("lead to no table", table(column(1, "a", 10, 1, 5))),
      ("a target or is a link", table(column(1, "a", 10, 1))),
      ("a target or is a link", table(column(1, "a", 1, 0, 2))),
      ("may be null unless in a list", table(column(1, "a", 10, 3, 2))),
      ("may be null unless in a list", table(column(1, "a", 10, 17, 2))),
      ("may be null unless in a list", table(column(1, "a", 10, 32, 2))),
      ("cannot be a primary key", table(column(1, "a", 2, 8))),
      ("cannot be a primary key or indexed", table(column(1, "a", 1, 20))),
      ("cannot be a primary key or indexed", table(column(1, "a", 1, 40))),
      ("cannot be a primary key or indexed", table(column(1, "a", 1, 6))),
      ("2 primary keys", table(column(1, "a", 1, 8), column(2, "b", 1, 8))),
      ("An unknown type", table(column(1, "a", 12, 0))),
      ("may be null", table(column(1, "a", 11, 0))),
      ("owns targets and has none", table(column(1, "a", 1, 64))),
      ("The bytes end inside", table(column(1, "a", 1, 128))),
      ("A default that 'a' cannot have", table(column(1, "a", 1, 128) + [2, 0, 0])),
      ("A default that 'a' cannot have", table(column(1, "a", 1, 130) + [8, 0, 0, 0, 0, 0, 0, 0, 0])),
      ("A default that 'a' cannot have", table(column(1, "a", 0, 128) + [1, 2])),
      ("A default that 'a' cannot have", table(column(1, "a", 4, 128) + [1, 0xff])),
      ("A default that 'a' cannot have", table(column(1, "a", 10, 129, 2) + [0])),
      ("Dropped column number 9", table(column(1, "a", 1, 0), column(9, "b", 129, 0))),
      ("is that of another column", table(column(1, "a", 1, 0), column(1, "b", 129, 0))),
      ("Unknown flags", table(column(1, "a", 1, 128 + 18))),
      ("Unknown flags", table(column(1, "a", 1, 18))),
      ("Two tables have number", [0, 9, 2, 1, 1, 84, 1, 0, 1, 1, 85, 1, 0]),
      ("Two tables are named", [0, 9, 2, 1, 1, 84, 1, 0, 2, 1, 84, 1, 0]),
      ("is not below the next", [0, 1, 1, 1, 1, 84, 1, 0]),
      ("Table 'T' has number 0", [0, 9, 1, 0, 1, 84, 1, 0]),
      ("Column 'T.a' has number 0", table(column(0, "a", 1, 0))),
    ]
    for (message, bytes) in refused {
      do {
        _ = try decode(bytes)
        Issue.record("\(message) was not refused")
      } catch {
        #expect("\(error)".contains(message), "\(error)")
      }
    }
  }

  @Test func tooManyLinksToOneTableAreRefused() {
    var schema = [TableDescription(name: "Target", columns: [])]
    for table in 0..<40 {
      let columns = (0..<256).map { ColumnDescription(name: "l\($0)", type: .link, target: TableID(0)) }
      schema.append(TableDescription(name: "T\(table)", columns: columns))
    }
    #expect(throws: StoreError.self) { try Catalogue().merging(schema: schema) }
  }
}
