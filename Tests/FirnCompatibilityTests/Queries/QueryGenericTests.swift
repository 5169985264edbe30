import Firn
import Foundation
import Testing

/// Code that is generic over the types of properties, with the constraints that such code has.
@Suite struct QueryGenericTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  private func equality<Root: Object, T: _Persistable>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T
  ) -> [Int] {
    expectFormat("(\(name) == %@)", [value], of: { path($0) == value })
    expectFormat("(\(name) != %@)", [value], of: { path($0) != value })
    expectFormat("(\(name) IN %@)", [[value, value] as [Any]], of: { path($0).in([value, value]) })
    let objects = world.realm.objects(Root.self)
    return [
      objects.where { path($0) == value }.count, objects.where { path($0) != value }.count,
      objects.where { path($0).in([value]) }.count, objects.where { path($0) == path($0) }.count,
    ]
  }

  private func order<Root: Object, T: _Persistable>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T
  ) -> [Int] where T.PersistedType: _QueryNumeric {
    expectFormat("(\(name) < %@)", [value], of: { path($0) < value })
    expectFormat("(\(name) >= %@)", [value], of: { path($0) >= value })
    let objects = world.realm.objects(Root.self)
    return [objects.where { path($0) < value }.count, objects.where { path($0) >= value }.count]
  }

  private func texts<Root: Object, T: _Persistable>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T
  ) -> Int where T.PersistedType: _QueryString {
    expectFormat("(\(name) CONTAINS[c] %@)", [value], of: { path($0).contains(value, options: .caseInsensitive) })
    expectFormat("(\(name) LIKE %@)", [value], of: { path($0).like(value) })
    expectFormat("(\(name) > %@)", [value], of: { path($0) > value })
    return world.realm.objects(Root.self).where { path($0).contains(value, options: .caseInsensitive) }.count
  }

  private func bytes<Root: Object, T: _Persistable>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T
  ) where T.PersistedType: _QueryBinary {
    expectFormat("(\(name) BEGINSWITH %@)", [value], of: { path($0).starts(with: value) })
    expectFormat("(\(name) ENDSWITH \(name))", of: { path($0).ends(with: path($0)) })
    expectFormat("(\(name) CONTAINS \(name))", of: { path($0).contains(path($0)) })
  }

  private func range<Root: Object, T: _Persistable & Comparable>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ low: T, _ high: T
  ) -> Int where T.PersistedType: _QueryNumeric {
    expectFormat("(\(name) BETWEEN {%@, %@})", [low, high], of: { path($0).contains(low...high) })
    return world.realm.objects(Root.self).where { path($0).contains(low...high) }.count
  }

  private func collections<Root: Object, T: RealmCollection>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T.Element
  ) -> Int where T.Element: _Persistable, T.Element.PersistedType: _QueryNumeric {
    expectFormat("(ANY \(name) == %@)", [value], of: { path($0) == value })
    expectFormat("(\(name).@avg <= %@)", [value], of: { path($0).avg <= value })
    expectFormat("(%@ IN \(name))", [value], of: { path($0).contains(value) })
    expectFormat("(ANY \(name) > %@)", [value], of: { path($0) > value })
    return world.realm.objects(Root.self).where { path($0).contains(value) && path($0).max >= value }.count
  }

  private func maps<Root: Object, T: RealmKeyedCollection>(
    _ name: String, _ path: (Query<Root>) -> Query<T>, _ value: T.Value
  ) -> Int where T.Key == String, T.Value: _Persistable, T.Value.PersistedType: _QueryNumeric {
    expectFormat("(ANY \(name).@allValues < %@)", [value], of: { path($0).values < value })
    expectFormat("(\(name)[%@] == %@)", ["a", value], of: { path($0)["a"] == value })
    expectFormat("(\(name).@max == %@)", [value], of: { path($0).max == value })
    return world.realm.objects(Root.self).where { path($0).values == value }.count
  }

  private func enumeration<Root: Object, T: PersistableEnum>(_ path: (Query<Root>) -> Query<T>, _ value: T) -> [Int]
  where T.RawValue: _QueryOrdered {
    let objects = world.realm.objects(Root.self)
    return [objects.where { path($0) == value }.count, objects.where { path($0).rawValue == value.rawValue }.count]
  }

  @Test func generically() {
    func counts<T: Equatable>(_ path: KeyPath<QueryAll, T>, _ value: T) -> [Int] {
      let equal = world.all.filter { $0[keyPath: path] == value }.count
      return [equal, world.all.count - equal, equal, world.all.count]
    }
    #expect(equality("int", { (query: Query<QueryAll>) in query.int }, 5) == counts(\.int, 5))
    #expect(equality("stringOpt", { (query: Query<QueryAll>) in query.stringOpt }, "a") == counts(\.stringOpt, "a"))
    #expect(
      equality("uuid", { (query: Query<QueryAll>) in query.uuid }, QueryValues.uuids[1])
        == counts(\.uuid, QueryValues.uuids[1]))
    #expect(equality("colour", { (query: Query<QueryAll>) in query.colour }, .red) == counts(\.colour, .red))
    #expect(
      equality("codeOpt", { (query: Query<QueryAll>) in query.codeOpt }, QueryCode(5))
        == counts(\.codeOpt, QueryCode(5)))
    #expect(
      order("double", { (query: Query<QueryAll>) in query.double }, 1) == [
        world.all.filter { $0.double < 1 }.count, world.all.filter { $0.double >= 1 }.count,
      ])
    #expect(
      order("level", { (query: Query<QueryAll>) in query.level }, .middle) == [
        world.all.filter { $0.level < .middle }.count, world.all.filter { $0.level >= .middle }.count,
      ])
    #expect(
      texts("string", { (query: Query<QueryAll>) in query.string }, "A")
        == world.all.filter { $0.string.lowercased().contains("a") }.count)
    #expect(
      texts("tag", { (query: Query<QueryAll>) in query.tag }, QueryTag("z"))
        == world.all.filter { $0.tag.text.contains("z") }.count)
    bytes("dataOpt", { (query: Query<QueryAll>) in query.dataOpt }, Data([1]))
    #expect(
      range("int8", { (query: Query<QueryAll>) in query.int8 }, 0, 5)
        == world.all.filter { (0...5).contains($0.int8) }.count)
    #expect(
      collections("ints", { (query: Query<QueryAll>) in query.ints }, 5)
        == world.all.filter { $0.ints.contains(5) }.count)
    #expect(
      collections("levelSet", { (query: Query<QueryAll>) in query.levelSet }, .high)
        == world.all.filter { $0.levelSet.contains(.high) }.count)
    #expect(
      maps("intMap", { (query: Query<QueryAll>) in query.intMap }, 5)
        == world.all.filter { $0.intMap.values.contains(5) }.count)
    let reds = world.all.filter { $0.colour == .red }.count
    #expect(enumeration({ (query: Query<QueryAll>) in query.colour }, .red) == [reds, reds])
  }
}
