import Foundation
import TestSupport
import Testing

@testable import Firn

/// Each refusal of a text that can be read, but does not suit the class, says where it is, what would have suited, and
/// what was there.
@Suite struct PredicateBindingErrorTests {
  struct Wrong: CustomTestStringConvertible, @unchecked Sendable {
    var text: String
    var arguments: [Any]
    var position: Int
    var expected: String
    var found: String
    /// What else the message says.
    var part: String

    var testDescription: String { text }

    init(_ text: String, _ arguments: Any..., at position: Int, _ expected: String, _ found: String, _ part: String) {
      self.text = text
      self.arguments = arguments
      self.position = position
      self.expected = expected
      self.found = found
      self.part = part
    }
  }

  private static let orders = "==, !=, <, <=, >, >=, BETWEEN and IN"
  private static let end = "the end of the key path"
  private static let number = "SUBQUERY(…).@count can only be compared with a constant number"

  private static func makeNodes() throws -> Results<FuzzNode> {
    var random = SeededRandom(7)
    return try FuzzNode.makeRealm(count: 12, &random).objects(FuzzNode.self)
  }

  private static func refusal(_ text: String, _ arguments: [Any]) throws -> InvalidPredicate? {
    do {
      _ = try makeNodes().filter(parsing: text, arguments: arguments)
      return nil
    } catch let error as Realm.Error {
      return error.invalidPredicate
    }
  }

  private func check(_ wrong: Wrong) throws {
    let failure = try #require(try Self.refusal(wrong.text, wrong.arguments), "it was taken")
    #expect(failure.position == wrong.position, "\(failure)")
    #expect(failure.expected == wrong.expected, "\(failure)")
    #expect(failure.found == wrong.found, "\(failure)")
    #expect(failure.description.contains(wrong.part), "\(failure)")
  }

  @Test(
    arguments: [
      Wrong("id = 1 AND city = 'x'", at: 11, "a property of 'FuzzNode'", "city", "Property 'city' not found in object"),
      Wrong(
        "place.x = 1", at: 0, "one of city, height", "place.x", "Property 'x' not found in object of type 'FuzzPlace'"),
      Wrong("friends.@count.id = 1", at: 0, "the end of the key path", "friends.@count.id", "must appear at the end"),
      Wrong("numbers.@allValues = 1", at: 0, "a dictionary", "numbers.@allValues", "must follow a dictionary property"),
      Wrong("numbers.@allKeys = 'x'", at: 0, "a dictionary", "numbers.@allKeys", "must follow a dictionary property"),
      Wrong("prices.@allKeys.x = 1", at: 0, end, "prices.@allKeys.x", "@allKeys must appear at the end"),
      Wrong("%K.%K = 1", "parent", "self.id", at: 0, "a property", "parent.self.id", "can only begin a key path"),
      Wrong("ANY numbers.x = 1", at: 4, "a collection operation", "numbers.x", "can only be followed by a collection"),
      Wrong(
        "friends.@max.friends.id = 1", at: 0, "one collection", "friends.@max.friends.id", "is about one collection"),
      Wrong("friends.@max.@min = 1", at: 0, "one operation", "friends.@max.@min", "at most one collection operation"),
      Wrong("any.x = 1", at: 0, end, "any.x", "through the mixed property 'FuzzNode.any'"),
      Wrong("id.x = 1", at: 0, end, "id.x", "is not a link or collection and can only appear at the end of a keypath"),
      Wrong("id.@max = 1", at: 0, "a collection", "id.@max", "can only appear at the end of a keypath"),
      Wrong("parent.@max = 1", at: 0, "a collection", "parent.@max", "@max must be applied to a collection"),
      Wrong(
        "names.@max = 'x'", at: 0, "numbers", "names.@max", "can only be applied to a collection of numeric values"),
      Wrong("friends.@avg.date > 1", at: 0, "numbers", "friends.@avg.date", "Cannot sum or average date properties"),
      Wrong("friends.@max = 1", at: 0, "a numeric property", "friends.@max", "must be followed by a numeric property"),
      Wrong("roles['k'].id = 1", at: 0, end, "roles['k'].id", "Cannot apply key path to Map subscripts"),
      Wrong("prices[0] = 1", at: 0, "a key", "prices[0]", "Only string keys are allowed"),
      Wrong("prices['k'][1] = 1", at: 0, "one subscript", "prices['k'][1]", "only allowed in mixed properties"),
      Wrong("id[0] = 1", at: 0, "a dictionary or a mixed property", "id[0]", "Only dictionaries and realm `Any`"),
      Wrong(
        "NOT ANY friends.circle.roles.children.friends.id = 1", at: 8, "at most 4 collections within each other",
        "more",
        "Take a shorter way"),
    ])
  func paths(_ wrong: Wrong) throws { try check(wrong) }

  @Test(
    arguments: [
      Wrong("flag = TRUE AND ALL numbers = 1", at: 16, "ANY or NONE", "ALL", "NONE x != y"),
      Wrong("id = 1 AND name MATCHES 'x'", at: 11, "LIKE", "MATCHES", "there are no regular expressions"),
      Wrong("1 = 2", at: 0, "a key path on one side", "constants", "here are two constants"),
      Wrong("{1} = id", at: 0, "a key path on one side", "constants", "here are two constants"),
      Wrong("'x' CONTAINS name", at: 0, "a key path on the left", "a constant", "requires a keypath on the left side"),
      Wrong(
        "1 BETWEEN id", at: 0, "a key path, and two constants", "no key path, or no two constants", "BETWEEN operator"),
      Wrong("1 BETWEEN {1, 2}", at: 0, "a key path, and two constants", "no key path, or no two constants", "BETWEEN"),
      Wrong("id BETWEEN number", at: 0, "a key path, and two constants", "no key path, or no two constants", "BETWEEN"),
      Wrong("id IN 3", at: 6, "{1, 2} or a collection", "3", "IN clause requires an array"),
      Wrong("id BETWEEN 3", at: 11, "an array of two values", "3", "must be of type NSArray for BETWEEN"),
      Wrong("id BETWEEN {1}", at: 11, "two values", "1", "must contain exactly two objects"),
      Wrong("maybeNumber BETWEEN {1, nil}", at: 20, "int", "nil", "must be of type int for BETWEEN"),
      Wrong("flag BETWEEN {0, 1}", at: 0, "==, != and IN", "BETWEEN", "not supported for type 'bool'"),
      Wrong("prices.@allKeys IN {'k'}", at: 0, "==, != and string operators", "IN", "not supported for type 'string'"),
      Wrong(
        "prices.@allKeys BETWEEN {'k', 'l'}", at: 0, "==, != and string operators", "BETWEEN",
        "not supported for type 'string'"),
      Wrong("prices.@allKeys < 'k'", at: 18, "==, != and string operators", "<", "not supported for type 'string'"),
      Wrong("prices.@allKeys = 1", at: 18, "a text", "Int", "to the keys 'prices.@allKeys'"),
      Wrong("prices.@allKeys LIKE[d] 'k'", at: 24, "LIKE or LIKE[c]", "LIKE[d]", "diacritic-insensitive"),
      Wrong("3 IN id", at: 5, "a collection on the right", "id", "'id' is no collection"),
      Wrong("3 IN numbers.@max", at: 5, "a collection on the right", "numbers.@max", "IN operator must compare"),
      Wrong("id IN number", at: 6, "an array of items", "number", "Compare with ANY"),
      Wrong(
        "id = numbers", at: 5, "a key path to one value", "numbers", "when they are compared with another key path"),
      Wrong("numbers = notes", at: 0, "key paths to one value", "notes", "Comparing two collection columns"),
      Wrong(
        "numbers = 1", at: 0, "ANY, NONE or an operator such as @count", "numbers", "must use aggregate operations"),
      Wrong("NONE id = 1", at: 5, "a collection", "id", "can only be used on key paths that include an collection"),
      Wrong("price = prices['k']", at: 8, "a constant", "a key path", "behind a subscript"),
      Wrong("id = name", at: 0, "int", "string", "Property type mismatch between 'FuzzNode.id' of type 'int'"),
      Wrong("parent = place", at: 0, "FuzzNode", "FuzzPlace", "Property type mismatch"),
      Wrong("any > any", at: 0, "== and != between key paths", ">", "not supported for type 'mixed'"),
      Wrong("parent > parent", at: 0, "==, != and IN", ">", "not supported for type 'FuzzNode'"),
      Wrong("name <[c] note", at: 0, "<", "options", "must be case-sensitive"),
      Wrong("numbers.@max = friends.@count", at: 15, "a constant or a property", "friends.@count", "other aggregate"),
      Wrong("numbers.@max LIKE id", at: 0, "==, !=, <, <=, >, >=", "LIKE", "not supported for type 'int'"),
      Wrong(
        "numbers.@count = name", at: 17, "a numeric property", "string", "can only be compared with a numeric value"),
      Wrong("numbers.@max = date", at: 15, "a numeric property", "date", "Property type mismatch"),
    ])
  func sides(_ wrong: Wrong) throws { try check(wrong) }

  @Test(
    arguments: [
      Wrong("id CONTAINS 1", at: 12, orders, "CONTAINS", "Operator 'CONTAINS' not supported for type 'int'"),
      Wrong("name LIKE[d] 'x'", at: 13, "LIKE or LIKE[c]", "LIKE[d]", "diacritic-insensitive"),
      Wrong("name <[c] 'x'", at: 10, "<", "options", "must be case-sensitive"),
      Wrong("any LIKE[d] 'x'", at: 12, "LIKE or LIKE[c]", "LIKE[d]", "diacritic-insensitive"),
      Wrong("any <[c] 'x'", at: 9, "<", "options", "must be case-sensitive"),
      Wrong(
        "numbers.@max LIKE 1", at: 18, "==, !=, <, <=, >, >=, IN and BETWEEN", "LIKE", "not supported for type 'int'"),
      Wrong(
        "numbers.@count = 'x'", at: 17, "a number", "String", "@count can only be compared with a numeric value: ''x''"),
      Wrong("anys.@sum = nil", at: 12, "mixed", "nil", "Cannot compare value 'nil'"),
      Wrong("id = nil", at: 5, "int", "nil", "Cannot compare value 'nil' of type 'nil' to property 'FuzzNode.id'"),
      Wrong("id IN {1, 'x'}", at: 6, "int", "String", "Cannot compare value ''x'' of type 'String'"),
      Wrong("parent = 3", at: 9, "FuzzNode", "Int", "Cannot compare value '3'"),
      Wrong("parent = %@", FuzzPlace(), at: 9, "FuzzNode", "FuzzPlace", "(argument 1, at byte 9"),
      Wrong("spot = %@", FuzzNode(), at: 7, "FuzzPlace", "FuzzNode", "Cannot compare value"),
      Wrong("spot > %@", FuzzSpot("x"), at: 7, "==, != and IN", ">", "not supported for type 'FuzzPlace'"),
      Wrong("any = %@", NSObject(), at: 6, "a value that a mixed property can hold", "NSObject", "to a mixed value"),
    ])
  func constants(_ wrong: Wrong) throws { try check(wrong) }

  @Test(
    arguments: [
      Wrong(
        "SUBQUERY(numbers, $x, id = 1).@count = 1", at: 9, "a collection of objects", "numbers", "SUBQUERY is about"),
      Wrong("SUBQUERY(friends, $x, $x.id = 1).@count = id", at: 0, "a number", "a key path", number),
      Wrong("id = SUBQUERY(friends, $x, $x.id = 1).@count", at: 5, "a number", "a key path", number),
      Wrong("SUBQUERY(friends, $x, $x.id = 1).@count = 'x'", at: 42, "a number", "'x'", number),
      Wrong("SUBQUERY(friends, $x, $x.id = 1).@count = {1}", at: 42, "a number", "a list", number),
      Wrong(
        "SUBQUERY(friends, $x, $x.id = 1).@count LIKE 1", at: 0, "==, !=, <, <=, >, >=", "LIKE",
        "not supported for type 'int'"),
      Wrong(
        "SUBQUERY(friends, $x, SUBQUERY(friends, $y, $x.id = 1).@count = 1).@count = 1", at: 44, "$y", "$x",
        "$x belongs to an outer SUBQUERY"),
      Wrong(
        "SUBQUERY(friends, $x, ANY circle.roles.children.friends.id = 1).@count = 1", at: 26,
        "at most 4 collections within each other", "more", "Take a shorter way"),
    ])
  func subqueries(_ wrong: Wrong) throws { try check(wrong) }

  /// The reference has these operators for key paths only; typed queries have them for numbers of elements as well.
  @Test(arguments: ["{1}", "{1, 2}", "{}", "%@"])
  func numbersOfElementsAreNotInListsOrRanges(_ list: String) throws {
    let count = "SUBQUERY(friends, $x, $x.id = 1).@count"
    let arguments: [Any] = list == "%@" ? [[1, 2]] : []
    let isIn = try #require(try Self.refusal("id = 1 AND \(count) IN \(list)", arguments))
    #expect(isIn.description.contains("IN operator must compare a KeyPath with an aggregate"), "\(isIn)")
    #expect(isIn.position == 11 && isIn.expected == "a key path" && isIn.found == "SUBQUERY(…).@count", "\(isIn)")
    let between = try #require(try Self.refusal("id = 1 AND \(count) BETWEEN \(list)", arguments))
    #expect(between.description.contains("BETWEEN operator must compare a KeyPath with an aggregate"), "\(between)")
    #expect(between.position == 11, "\(between)")
  }

  @Test func variablesOfNoSubquery() throws {
    // The parser refuses such a text itself.
    var binder = QueryBinder(try Self.makeNodes()._query.core)
    let path = QueryKeyPath([.variable("x"), .property("id")], position: 3)
    let comparison = QueryComparison(
      left: .keyPath(path), operation: .equal, right: .constant(QueryConstant(1)), position: 3)
    do throws(QueryError) {
      _ = try binder.bind(.comparison(comparison))
      Issue.record("it was bound")
    } catch {
      #expect(error.message.hasPrefix("$x is no variable of a SUBQUERY around it."))
      #expect(error.position == 3 && error.expected == "a property" && error.found == "$x")
    }
  }

  @Test func valuesHaveNoProperties() throws {
    let numbers = List<Int>()
    numbers.append(1)
    let error = try #require(throws: Realm.Error.self) { try numbers.index(parsing: "SELF.length = 1") }
    let invalid = try #require(error.invalidPredicate)
    #expect(invalid.description.contains("Values have no properties: 'length' cannot follow"), "\(invalid)")
    #expect(invalid.position == 0 && invalid.expected == "SELF" && invalid.found == "self.length", "\(invalid)")
  }

  @Test func longNamesAreShortened() throws {
    let name = String(repeating: "x", count: 100_000)
    for text in [
      "\(name) = 1", "id.\(name) = 1", "ANY numbers.\(name) = 1", "any.\(name) = 1", "roles['\(name)'].id = 1",
    ] {
      let failure = try #require(try Self.refusal(text, []))
      #expect(failure.description.utf8.count < 1_000 && failure.found.utf8.count < 200, "\(failure)")
    }
  }

  @Test func programsAreToldTheSame() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try PredicateBindingErrorTests.makeNodes().filter("id = 1 AND nmae = %@", "x")
    }
    var said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Property 'nmae' not found in object of type 'FuzzNode'. Is 'name' meant?"), "\(said)")
    #expect(said.contains("(at byte 11: \"id = 1 AND ▸nmae = %@\")"), "\(said)")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try PredicateBindingErrorTests.makeNodes().filter("id = %@", "x")
    }
    said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Cannot compare value ''x'' of type 'String' to property 'FuzzNode.id'"), "\(said)")
    #expect(said.contains("(argument 1, at byte 5"), "\(said)")
  }
}
