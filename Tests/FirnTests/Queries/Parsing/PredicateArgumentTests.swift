import Foundation
import Testing

@testable import Firn

private enum Colour: String, PersistableEnum {
  case red, blue
}

/// Arguments go where their placeholders stand, as what they are.
@Suite struct PredicateArgumentTests {
  @Test func placeholdersTakeArgumentsInTurn() throws {
    #expect(try parsed("a = %@ AND b = %@", 1, "x") == "and(a == Int:1, b == 'x')")
    #expect(try parsed("%K = %@ AND %K.%K > %K", "a", 1, "b", "c.d", "e") == "and(a == Int:1, b.c.d > e)")
    #expect(try parsed("a = $1 AND b = $0 AND c = %@", 1, 2) == "and(a == Int:2, b == Int:1, c == Int:1)")
  }

  @Test(arguments: ["%d", "%i", "%u", "%ld", "%li", "%lu", "%lld", "%llu", "%hd", "%hhd", "%zd", "%qd", "%x", "%D"])
  func placeholdersForIntegersTakeThem(_ placeholder: String) throws {
    #expect(try parsed("a = \(placeholder)", Int16(5)) == "a == Int16:5")
    #expect(try parsed("a = \(placeholder)", NSNumber(value: 5)) == "a == Int:5")
    #expect(try parsed("a = \(placeholder)", true) == "a == Int:1")
    for wrong in [1.5 as Any, "1", Int?.none as Any, [1]] {
      let failure = try #require(invalid("a = \(placeholder)", wrong))
      #expect(failure.expected == "an integer" && failure.argument == 1 && failure.position == 4, "\(failure)")
    }
  }

  @Test(arguments: ["%f", "%g", "%e", "%a", "%lf", "%lg", "%Lf", "%F"].filter { $0 != "%Lf" })
  func placeholdersForNumbersTakeThem(_ placeholder: String) throws {
    #expect(try parsed("a = \(placeholder)", 1.5) == "a == Double:1.5")
    #expect(try parsed("a = \(placeholder)", Float(1.5)) == "a == Float:1.5")
    #expect(try parsed("a = \(placeholder)", 2) == "a == Int:2")
    #expect(try parsed("a = \(placeholder)", NSNumber(value: 2.5)) == "a == Double:2.5")
    #expect(invalid("a = \(placeholder)", "x")?.argument == 1)
    #expect(invalid("a = \(placeholder)", true)?.argument == 1)
  }

  @Test func keyPathsAreTexts() throws {
    #expect(try parsed("%K = 1", "a.@count") == "a.@count == Int:1")
    #expect(try parsed("%K = 1", NSString(string: "SELF.any")) == "SELF.any == Int:1")
    #expect(try parsed("%s = %K", "x", "in") == "'x' == in")
    #expect(invalid("a = 1 AND %K = 2", 7)?.argument == 1)
    #expect(invalid("a = %@ AND %K = 2", 7, "b..c")?.argument == 2)
    #expect(invalid("%K = 2", "")?.description.contains("no key name") == true)
    #expect(invalid("%K = 2", "a.@size")?.description.contains("Unsupported collection operation") == true)
  }

  @Test func nullComesInManyForms() throws {
    for null in [Int?.none as Any, NSNull(), String??.some(nil) as Any] {
      let expression = try ParsedPredicate("a = %@", [null], PredicateLimits()).expression
      guard case .comparison(let comparison) = expression, case .constant(let constant) = comparison.right else {
        Issue.record("\(null)")
        continue
      }
      #expect(constant.given.flatMap { Unwrapping.value($0) } == nil)
    }
  }

  @Test func singleValuesStayWhatTheyAre() throws {
    let id = ObjectId.generate()
    let values: [Any] = [
      1, Int8(1), UInt64.max, Float(1), 1.5, true, "x", Data([1]), Date(), UUID(), id, Decimal128(5), Decimal(1),
      Colour.red, AnyRealmValue.int(3), ["k": 1], Map<String, AnyRealmValue>(), NSNumber(value: 5),
      NSString(string: "x"), NSData(data: Data([1])),
    ]
    for value in values {
      let expression = try ParsedPredicate("a = %@", [value], PredicateLimits()).expression
      guard case .comparison(let comparison) = expression, case .constant(let constant) = comparison.right,
        let given = constant.given
      else {
        Issue.record("\(value)")
        continue
      }
      #expect(type(of: given) == type(of: value))
    }
  }

  @Test func collectionsAreLists() throws {
    let list = List<Int>()
    list.append(objectsIn: [1, 2])
    let set = MutableSet<Int>()
    set.insert(1)
    let two = "a IN <Int:1, Int:2>"
    #expect(try parsed("a IN %@", [1, 2]) == two)
    #expect(try parsed("a IN %@", [1, 2] as [Any]) == two)
    #expect(try parsed("a IN %@", ContiguousArray([1, 2])) == two)
    #expect(try parsed("a IN %@", 1...2) == two)
    #expect(try parsed("a IN %@", list) == two)
    #expect(try parsed("a IN %@", AnyRealmCollection(list)) == two)
    #expect(try parsed("a IN %@", NSArray(array: [1, 2])).hasPrefix("a IN <"))
    #expect(try parsed("a IN %@", NSSet(array: [1])).hasPrefix("a IN <"))
    #expect(try parsed("a IN %@", Set([1])) == "a IN <Int:1>")
    #expect(try parsed("a IN %@", set) == "a IN <Int:1>")
    #expect(try parsed("a IN %@", [Int]?.some([1]) as Any) == "a IN <Int:1>")
    #expect(try parsed("a IN %@", []) == "a IN <>")
    #expect(try parsed("a IN %@", [Colour.red, Colour.blue]) == "a IN <Colour:red, Colour:blue>")
    #expect(try parsed("a IN {%@, 2}", [1]) == "a IN {Array<Int>:[1], Int:2}")
  }

  @Test func emptyAndNilElementsAreNull() throws {
    #expect(try parsed("a IN %@", [1, nil] as [Int?]) == "a IN <Optional<Int>:Optional(1), Optional<Int>:nil>")
  }

  @Test func endlessSequencesAreRefused() {
    let endless = sequence(first: 1) { $0 }
    let failure = invalid("a = 1 AND b IN %@", endless)
    #expect(failure?.description.contains("more than 1000000 values in lists") == true)
    #expect(failure?.argument == 1 && failure?.position == 15)
  }

  @Test func argumentsAreAsManyAsTheirPlaces() {
    #expect(invalid("a = %@ AND b = %@", 1)?.position == 15)
    #expect(
      invalid("a = %@ AND b = %@", 1)?.description.contains("needs an argument number 2 here, but 1 were given") == true
    )
    #expect(invalid("a = %@", 1, 2)?.position == nil)
    #expect(invalid("a = %@", 1, 2)?.description.hasPrefix("The predicate takes 1 argument, but 2 were given.") == true)
    #expect(invalid("a = 1", 1)?.expected == "0 arguments")
    #expect(invalid("a = $2", 1, 2)?.position == 4)
    #expect(invalid("a = $0", 1, 2)?.found == "2")
    #expect(invalid("a = '%@'", 1)?.description.contains("outside of quotes") == true)
    #expect(invalid("a = $1", 1, 2) == nil)
  }
}
