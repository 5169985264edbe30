import Firn
import Foundation
import Testing

/// Sorting and aggregates in code that is generic over what is stored for elements.
@Suite struct GenericAggregateTests {
  private func bounds<C: RealmCollection>(_ collection: C) -> [C.Element?] where C.Element.PersistedType: MinMaxType {
    [collection.min(), collection.max()]
  }

  private func sum<C: RealmCollection>(_ collection: C) -> C.Element where C.Element.PersistedType: AddableType {
    collection.sum()
  }

  private func mean<C: RealmCollection>(_ collection: C) -> Double? where C.Element.PersistedType: AddableType {
    collection.average()
  }

  private func bounds<C: RealmCollection, T: _HasPersistedType>(_ collection: C, of path: KeyPath<C.Element, T>) -> [T?]
  where C.Element: ObjectBase, T.PersistedType: MinMaxType { [collection.min(of: path), collection.max(of: path)] }

  private func sorted<C: RealmCollection>(_ collection: C) -> [C.Element] where C.Element.PersistedType: SortableType {
    Array(collection.sorted())
  }

  @Test func generically() throws {
    let world = try QueryWorld(count: 30)
    for object in world.all {
      #expect(bounds(object.ints) == [object.ints.sorted().first, object.ints.sorted().last])
      #expect(bounds(object.codes) == [Array(object.codes).min(), Array(object.codes).max()])
      #expect(
        bounds(object.levelOpts).map { $0 ?? nil } == [
          object.levelOpts.compactMap { $0 }.min(), object.levelOpts.compactMap { $0 }.max(),
        ])
      #expect(bounds(object.dateSet) == [Array(object.dateSet).min(), Array(object.dateSet).max()])
      #expect(bounds(AnyRealmCollection(object.doubles)) == [Array(object.doubles).min(), Array(object.doubles).max()])
      #expect(sum(object.ints) == object.ints.reduce(0, +))
      #expect(sum(object.codes).number == object.codes.map(\.number).reduce(0, +))
      #expect(sum(object.intOpts) == object.intOpts.compactMap { $0 }.reduce(0, +))
      #expect(
        mean(object.ints) == (object.ints.isEmpty ? nil : Double(object.ints.reduce(0, +)) / Double(object.ints.count)))
      #expect(sorted(object.colours) == object.colours.sorted { $0.rawValue < $1.rawValue })
      #expect(sorted(object.datas) == object.datas.sorted { $0.lexicographicallyPrecedes($1) })
    }
    let ages = world.children.map(\.age)
    #expect(bounds(world.children, of: \.age) == [ages.min(), ages.max()])
    #expect(
      bounds(world.children, of: \.level) == [world.children.map(\.level).min(), world.children.map(\.level).max()])
    #expect(Array(world.all[0].datas.distinct()).count == Set(world.all[0].datas).count)
  }

  @Test func sortingByValuesOfMaps() throws {
    let world = try QueryWorld(count: 30)
    func value(_ object: QueryAll) -> Int { object.intMap["a"] ?? .min }
    let expected = world.all.enumerated().sorted { (value($0.element), $0.offset) < (value($1.element), $1.offset) }
    #expect(world.all.sorted(by: \.intMap["a"]).map(\.id) == expected.map(\.element.id))
    #expect(world.all.sorted(byKeyPath: "intMap['a']").map(\.id) == expected.map(\.element.id))
    let descriptor = SortDescriptor(keyPath: \QueryAll.intMap["a"], ascending: false)
    #expect(descriptor.keyPath == "intMap['a']")
    #expect(world.all.sorted(by: [descriptor]).first.map(value) == world.all.map(value).max())
    #expect(world.all.sorted(by: \.intMap["b"]).map(\.id) != expected.map(\.element.id))
  }
}
