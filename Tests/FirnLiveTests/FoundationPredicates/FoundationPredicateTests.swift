import Firn
import Foundation
import TestSupport
import Testing

/// A predicate and how much of it the engine can evaluate.
struct HoundCase: CustomStringConvertible, Sendable {
  enum Plan { case translated, closure, mixed }

  let name: String
  let plan: Plan
  let predicate: Foundation.Predicate<Hound>

  init(_ name: String, _ plan: Plan, _ predicate: Foundation.Predicate<Hound>) {
    (self.name, self.plan, self.predicate) = (name, plan, predicate)
  }

  var description: String { name }

  static let limit = 3
  static let kind = HoundKind.pointer
  static let names = ["K", "Rex", "a"]
  static let noNick: String? = nil
  static let day = Date(timeIntervalSinceReferenceDate: 2)

  static var all: [HoundCase] {
    let (limit, kind, names, noNick, day) = (limit, kind, names, noNick, day)
    let (noNumber, from) = (Double.zero / Double.zero, 2...)
    let ages: [Int?] = [1, nil]
    return [
      HoundCase("int", .translated, #Predicate { $0.age > limit }),
      HoundCase("swapped", .translated, #Predicate { limit <= $0.age }),
      HoundCase("equal", .translated, #Predicate { $0.age == 3 && $0.isGood }),
      HoundCase("not", .translated, #Predicate { !($0.age != 3 || !$0.isGood) }),
      HoundCase("optional", .translated, #Predicate { $0.score == 3 }),
      HoundCase("nil", .translated, #Predicate { $0.score == nil }),
      HoundCase("not nil", .translated, #Predicate { $0.nick != nil }),
      HoundCase("nil text", .translated, #Predicate { $0.nick == noNick }),
      HoundCase("coalesce", .translated, #Predicate { ($0.score ?? 5) > 3 }),
      HoundCase("coalesce below", .translated, #Predicate { ($0.score ?? 0) < 3 }),
      HoundCase("coalesce equal", .translated, #Predicate { ($0.score ?? 3) == 3 }),
      HoundCase("coalesce not equal", .translated, #Predicate { ($0.score ?? 3) != 3 }),
      HoundCase("coalesce text", .translated, #Predicate { ($0.nick ?? "K") == "K" }),
      HoundCase("zero", .translated, #Predicate { $0.weight == 0.0 }),
      HoundCase("nan", .translated, #Predicate { $0.weight != noNumber }),
      HoundCase("double", .translated, #Predicate { $0.weight >= 0.0 }),
      HoundCase("columns", .translated, #Predicate { $0.age < $0.id }),
      HoundCase("optional columns", .translated, #Predicate { $0.score == $0.boss?.score }),
      HoundCase("doubles", .translated, #Predicate { $0.weight == $0.weight }),
      HoundCase("date", .translated, #Predicate { $0.born > day }),
      HoundCase("enum", .translated, #Predicate { $0.kind == kind }),
      HoundCase("range", .translated, #Predicate { (2...4).contains($0.age) }),
      HoundCase("half-open range", .translated, #Predicate { (2..<4).contains($0.age) }),
      HoundCase("open range", .translated, #Predicate { from.contains($0.age) }),
      HoundCase("list of ints", .translated, #Predicate { [1, 3].contains($0.age) }),
      HoundCase("list of texts", .translated, #Predicate { names.contains($0.name) }),
      HoundCase("text", .translated, #Predicate { $0.name == "Rex" }),
      HoundCase("text with twin", .translated, #Predicate { $0.name == "Kit" }),
      HoundCase("text unequal", .translated, #Predicate { $0.name != "K" }),
      HoundCase("other text", .closure, #Predicate { $0.name == "é" }),
      HoundCase("order of texts", .closure, #Predicate { $0.name < "b" }),
      HoundCase("prefix", .mixed, #Predicate { $0.name.starts(with: "Re") }),
      HoundCase("empty prefix", .closure, #Predicate { $0.name.starts(with: "") }),
      HoundCase("part", .mixed, #Predicate { $0.name.contains("e") }),
      HoundCase("no part", .mixed, #Predicate { !$0.name.contains("K") }),
      HoundCase("new line", .mixed, #Predicate { $0.name.contains("\n") }),
      HoundCase("empty part", .closure, #Predicate { $0.name.contains("") }),
      HoundCase("link", .translated, #Predicate { $0.boss == nil }),
      HoundCase("behind a link", .translated, #Predicate { $0.boss?.age == 3 }),
      HoundCase("not behind a link", .translated, #Predicate { $0.boss?.age != 3 }),
      HoundCase("nothing behind a link", .translated, #Predicate { $0.boss?.age == nil }),
      HoundCase("default behind a link", .translated, #Predicate { ($0.boss?.age ?? 2) < 3 }),
      HoundCase("default behind links", .translated, #Predicate { ($0.boss?.boss?.isGood ?? true) == true }),
      HoundCase("list with nil", .translated, #Predicate { ages.contains($0.score) }),
      HoundCase("list with nil behind a link", .translated, #Predicate { ages.contains($0.boss.flatMap { $0.age }) }),
      HoundCase("two links", .translated, #Predicate { ($0.boss?.home?.zip ?? 1) == 1 }),
      HoundCase("text behind a link", .translated, #Predicate { $0.home?.city == "K" }),
      HoundCase("bound link", .translated, #Predicate { if let boss = $0.boss { boss.age > 2 } else { false } }),
      HoundCase("bound link or none", .translated, #Predicate { $0.boss.flatMap { !$0.isGood } ?? true }),
      HoundCase("linked objects", .translated, #Predicate { $0.boss == $0.boss?.boss }),
      HoundCase("choice", .translated, #Predicate { $0.isGood ? $0.age > 3 : $0.age < 2 }),
      HoundCase("count", .translated, #Predicate { $0.pups.count > 1 }),
      HoundCase("empty", .translated, #Predicate { $0.pups.isEmpty }),
      HoundCase("not empty set", .translated, #Predicate { !$0.marks.isEmpty }),
      HoundCase("count of links", .translated, #Predicate { $0.parents.count == 1 }),
      HoundCase("element", .translated, #Predicate { $0.marks.contains(3) }),
      HoundCase("text element", .translated, #Predicate { $0.tags.contains("K") }),
      HoundCase("other text element", .translated, #Predicate { $0.tags.contains("é") }),
      HoundCase("word of a set", .translated, #Predicate { $0.words.contains("Rex") }),
      HoundCase("word with an equal", .translated, #Predicate { $0.words.contains("K") }),
      HoundCase("word with an accent", .closure, #Predicate { $0.words.contains("é") }),
      HoundCase("no word with an accent", .closure, #Predicate { !$0.words.contains("cafe\u{301}") }),
      HoundCase("object", .translated, #Predicate { $0.pups.contains { $0.age > 3 && $0.boss == nil } }),
      HoundCase("all objects", .translated, #Predicate { $0.pups.allSatisfy { $0.score != 2 } }),
      HoundCase("counted objects", .translated, #Predicate { $0.pups.filter { $0.age > 1 }.count >= 2 }),
      HoundCase("linking object", .translated, #Predicate { $0.parents.contains { $0.isGood } }),
      HoundCase("nested", .translated, #Predicate { $0.pups.contains { $0.pups.contains { $0.age > 2 } } }),
      HoundCase("correlated", .closure, #Predicate { hound in hound.pups.contains { $0.age > hound.age } }),
      HoundCase("linking text", .closure, #Predicate { $0.parents.contains { $0.name < "b" } }),
      HoundCase("values", .closure, #Predicate { $0.marks.contains { $0 > 3 } }),
      HoundCase("length", .closure, #Predicate { $0.name.count > 2 }),
      HoundCase("arithmetic", .closure, #Predicate { $0.age * 2 > 5 }),
      HoundCase("unwrapped", .closure, #Predicate { $0.boss!.age > 2 }),
      HoundCase("throwing or not", .closure, #Predicate { $0.age > 3 || $0.score! > 3 }),
      HoundCase("throws first", .closure, #Predicate { $0.score! > 3 || $0.age > 3 }),
      HoundCase("negated throwing", .closure, #Predicate { !($0.score! > 3) }),
      HoundCase("division", .mixed, #Predicate { $0.age != 0 && 6 / $0.age > 2 }),
      HoundCase("guarded by a closure", .closure, #Predicate { $0.name.count != 0 && 6 / $0.name.count > 2 }),
      HoundCase("subscript", .closure, #Predicate { $0.tags[0] == "K" }),
      HoundCase("mixed", .mixed, #Predicate { $0.age > 2 && $0.name.count > 2 }),
      HoundCase("either", .mixed, #Predicate { $0.age > 2 || $0.name.count > 2 }),
      HoundCase("maximum", .closure, #Predicate { $0.marks.max() == 4 }),
      HoundCase("constant", .translated, #Predicate { _ in true }),
    ]
  }
}

@Suite struct FoundationPredicateTests {
  /// Where evaluating throws, the predicate does not hold.
  static func naive(_ predicate: Foundation.Predicate<Hound>, _ realm: Realm) -> [Int] {
    realm.objects(Hound.self).filter { (try? predicate.evaluate($0)) ?? false }.map(\.id)
  }

  @Test func meanWhatFoundationSays() throws {
    try onOwnThread {
      var random = SeededRandom.printed("predicates of Foundation")
      let realm = try Hounds.realm()
      for count in [0, 1, 200, 400] {
        try realm.write { for _ in 0..<count { Hounds.change(realm, &random) } }
        for hounds in HoundCase.all {
          let found = realm.objects(Hound.self).where(hounds.predicate)
          let expected = Self.naive(hounds.predicate, realm)
          #expect(Array(found.map(\.id)) == expected, "\(hounds)")
          #expect(found.count == expected.count, "\(hounds)")
          #expect(Array(realm.objects(Hound.self).filter(hounds.predicate).freeze().map(\.id)) == expected, "\(hounds)")
        }
      }
    }
  }

  @Test func thePredicatesHoldForSomeAndNotForOthers() throws {
    try onOwnThread {
      var random = SeededRandom.printed("predicates of Foundation that hold and do not")
      let realm = try Hounds.realm()
      var (held, failed): (Set<String>, Set<String>) = ([], [])
      for _ in 0..<30 {
        try realm.write { for _ in 0..<100 { Hounds.change(realm, &random) } }
        let all = realm.objects(Hound.self).count
        for hounds in HoundCase.all {
          let count = Self.naive(hounds.predicate, realm).count
          if count > 0 { held.insert(hounds.name) }
          if count < all { failed.insert(hounds.name) }
        }
      }
      // Only those of which it is plain.
      let trivial = HoundCase.all.map(\.name).filter { !held.contains($0) || !failed.contains($0) }
      #expect(Set(trivial).isSubset(of: ["nan", "columns", "empty prefix", "empty part", "constant"]))
    }
  }

  @Test func plansTellWhatIsEvaluatedByClosure() throws {
    try onOwnThread {
      var random = SeededRandom.printed("plans of predicates of Foundation")
      let realm = try Hounds.realm()
      try realm.write { for _ in 0..<200 { Hounds.change(realm, &random) } }
      for hounds in HoundCase.all {
        let plan = realm.objects(Hound.self).where(hounds.predicate).plan
        #expect(plan.closureKeyPaths.isEmpty == (hounds.plan == .translated), "\(hounds): \(plan)")
      }
      let text = realm.objects(Hound.self).where(#Predicate { $0.isGood && $0.home?.city.count == 2 }).plan.description
      #expect(text == "scan of Hound with filter on home, home.city, isGood (by closure: home, home.city)")
    }
  }

  @Test func indexesServeWhatIsTranslated() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write {
        for id in 0..<1000 { realm.create(Hound.self, value: ["id": id, "name": "n\(id)", "age": id]) }
      }
      let hounds = realm.objects(Hound.self)
      let named = hounds.where(#Predicate { $0.name == "n7" && $0.tags.count == 0 })
      #expect(named.plan.description.hasPrefix("index name"))
      #expect(hounds.where(#Predicate { $0.id == 7 }).plan.description == "primary key id")
      // The closure looks at what the index leads to.
      let found = hounds.where(#Predicate { $0.age == 7 && $0.name.count == 2 })
      #expect(found.plan.candidateCount == 1)
      #expect(found.map(\.id) == [7])
    }
  }

  @Test func inCollectionsAndInTransactions() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write {
        for id in 0..<6 { realm.create(Hound.self, value: ["id": id, "name": "n\(id)", "age": id]) }
        let hounds = realm.objects(Hound.self)
        hounds[0].pups.append(objectsIn: [hounds[4], hounds[5], hounds[1]])
        let long = hounds[0].pups.where(#Predicate { $0.name.count > 1 && $0.age > 3 })
        let few = hounds.where(#Predicate { $0.parents.contains { $0.name < "o" } })
        #expect(long.map(\.id) == [4, 5])
        #expect(few.map(\.id) == [1, 4, 5])
        hounds[4].age = 0
        hounds[0].pups.removeLast()
        #expect(long.map(\.id) == [5])
        #expect(few.map(\.id) == [4, 5])
        #expect(hounds[5].parents.filter(#Predicate { $0.name.count == 2 }).map(\.id) == [0])
        #expect(hounds.limit(3).where(#Predicate { $0.name.count == 2 && $0.age > 0 }).map(\.id) == [1, 2])
        #expect(hounds.sorted(by: \.age, ascending: false).where(#Predicate { $0.name.count == 2 }).first?.id == 5)
      }
    }
  }

  @Test func chainsMayBeLong() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write { for id in 0..<10 { realm.create(Hound.self, value: ["id": id, "name": "n\(id)"]) } }
      let hounds = realm.objects(Hound.self)
      #expect(hounds.where(LongPredicates.chain(500, isAnd: true)).map(\.id) == [3, 4, 5, 6, 7, 8, 9])
      #expect(hounds.where(LongPredicates.chain(500, isAnd: false)).count == 10)
    }
  }

  /// Chains of the same kind are joined by halves, as programs that put conditions together may do.
  @Test func manyConditionsMayBeJoined() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write { for id in 0..<10 { realm.create(Hound.self, value: ["id": id, "name": "n\(id)"]) } }
      let hounds = realm.objects(Hound.self)
      for isAnd in [true, false] {
        let found = hounds.where(LongPredicates.tree(10_000, isAnd: isAnd))
        #expect(found.map(\.id) == (isAnd ? [3, 4, 5, 6, 7, 8, 9] : Array(0..<10)))
      }
    }
  }

  @Test func closuresFollowWhatIsReadThroughBacklinks() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write {
        for id in 0..<3 { realm.create(Hound.self, value: ["id": id, "name": "long"]) }
      }
      let hounds = realm.objects(Hound.self)
      let found = hounds.where(#Predicate { $0.parents.contains { $0.name.count == 1 } })
      var told: [[Int]] = []
      let token = found.observe { change in
        switch change {
        case .initial(let found), .update(let found, _, _, _): told.append(found.map(\.id))
        case .error: break
        }
      }
      func write(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      realm.refresh()
      try write { hounds[0].name = "a" }
      // The link alone, then what is behind it, then neither.
      try write { hounds[0].pups.append(hounds[2]) }
      try write { hounds[0].name = "long" }
      try write { hounds[0].name = "b" }
      try write { realm.delete(hounds[0]) }
      #expect(told == [[], [2], [], [2], []])
      token.invalidate()
    }
  }

  @Test func nestingEndsWithASentence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Hounds.realm().objects(Hound.self).where(LongPredicates.nested(500))
    }
    #expect(said("conditions within each other", result))
  }

  @Test func computedPropertiesAreRefused() async {
    let shout = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Hounds.realm().objects(Hound.self).where(#Predicate { $0.shout == "A" })
    }
    #expect(said("not persisted", shout))
    let isOld = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Hounds.realm().objects(Hound.self).where(#Predicate { $0.isOld })
    }
    #expect(said("not persisted", isOld))
  }
}

/// Predicates that nobody would write by hand.
enum LongPredicates {
  typealias Parts = PredicateExpressions
  typealias Condition = any StandardPredicateExpression<Bool>

  /// Joins the same condition many times.
  static func chain(_ count: Int, isAnd: Bool) -> Foundation.Predicate<Hound> {
    Foundation.Predicate { hound in
      let leaf = leaf(hound)
      var all: Condition = isAnd ? leaf : Parts.build_Negation(leaf)
      func joined<Left: StandardPredicateExpression<Bool>>(_ left: Left) -> Condition {
        if isAnd { return Parts.build_Conjunction(lhs: left, rhs: leaf) }
        return Parts.build_Disjunction(lhs: left, rhs: leaf)
      }
      for _ in 1..<count { all = joined(all) }
      return all
    }
  }

  /// The same in a tree that is as low as it can be.
  static func tree(_ count: Int, isAnd: Bool) -> Foundation.Predicate<Hound> {
    Foundation.Predicate { hound in
      let leaf = leaf(hound)
      func joined<Left: StandardPredicateExpression<Bool>, Right: StandardPredicateExpression<Bool>>(
        _ left: Left, _ right: Right
      ) -> Condition {
        if isAnd { return Parts.build_Conjunction(lhs: left, rhs: right) }
        return Parts.build_Disjunction(lhs: left, rhs: right)
      }
      func opened<Left: StandardPredicateExpression<Bool>>(_ left: Left, _ right: Condition) -> Condition {
        joined(left, right)
      }
      func tree(_ count: Int) -> Condition {
        if count == 1 { return isAnd ? leaf : Parts.build_Disjunction(lhs: leaf, rhs: Parts.build_Negation(leaf)) }
        return opened(tree(count / 2), tree(count - count / 2))
      }
      return tree(count)
    }
  }

  /// Turns a condition into its opposite many times.
  static func nested(_ count: Int) -> Foundation.Predicate<Hound> {
    Foundation.Predicate { hound in
      var all: Condition = leaf(hound)
      func negated<Part: StandardPredicateExpression<Bool>>(_ part: Part) -> Condition { Parts.build_Negation(part) }
      for _ in 0..<count { all = negated(all) }
      return all
    }
  }

  private static func leaf(_ hound: Parts.Variable<Hound>) -> some StandardPredicateExpression<Bool> {
    Parts.build_Comparison(
      lhs: Parts.build_KeyPath(root: Parts.build_Arg(hound), keyPath: \.id), rhs: Parts.build_Arg(2), op: .greaterThan)
  }
}

private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}
