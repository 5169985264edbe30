import Dispatch
import Testing

@testable import Firn

/// Something that can be observed, in each of the ways.
struct Face: Sendable, CustomTestStringConvertible {
  typealias Heard = @Sendable () -> Void

  let name: String
  /// Where the realm is confined. Nil when there is nothing to observe.
  let here: @Sendable (Realm, @escaping Heard) -> NotificationToken?
  let onQueue: @Sendable (Realm, DispatchQueue, @escaping Heard) -> NotificationToken?
  let onActor: @Sendable (isolated Crowd, Realm, @escaping Heard) async -> NotificationToken?

  var testDescription: String { name }

  static let all: [Face] =
    [
      collection("all objects") { $0.objects(FacedItem.self) },
      collection("equality") { $0.objects(FacedItem.self).where { $0.group == 1 } },
      collection("range, sorted") { realm in
        realm.objects(FacedItem.self).where { $0.number > 10 }.sorted(by: \.weight)
      },
      collection("distinct") { $0.objects(FacedItem.self).distinct(by: [\.group]) },
      collection("window") { $0.objects(FacedItem.self).sorted(by: \.number).limit(5) },
      collection("behind a link") { realm in realm.objects(FacedItem.self).where { $0.owner.name == "owner 1" } },
      collection("list") { owner($0)?.items },
      collection("values") { owner($0)?.codes },
      collection("query on a list") { realm in owner(realm).map { $0.items.where { $0.number > 5 } } },
      collection("sorted values") { owner($0)?.codes.sorted() },
      collection("set") { owner($0)?.favourites },
      collection("backlinks") { owner($0)?.owned },
      collection("projections") { $0.objects(FacedLine.self).sorted(by: \.number) },
      sections("sections") { $0.objects(FacedItem.self).sectioned(by: \.group) },
      sections("sections by a block") { realm in
        realm.objects(FacedItem.self).sectioned(
          by: { $0.number % 3 }, sortDescriptors: [SortDescriptor(keyPath: "number")])
      },
      sections("sections of a list") { owner($0)?.items.sectioned(by: \.group) },
      sections("one section") { $0.objects(FacedItem.self).sectioned(by: \.group).first },
      map, object, projection, projectedCollection, value, groups, values,
    ]

  static func owner(_ realm: Realm) -> FacedOwner? { realm.object(ofType: FacedOwner.self, forPrimaryKey: 1) }

  private static func item(_ realm: Realm) -> FacedItem? { realm.objects(FacedItem.self).first }

  private static func collection<C: RealmCollection>(_ name: String, _ make: @escaping @Sendable (Realm) -> C?) -> Face
  {
    Face(
      name: name,
      here: { realm, heard in make(realm)?.observe { _ in heard() } },
      onQueue: { realm, queue, heard in make(realm)?.observe(on: queue) { _ in heard() } },
      onActor: { crowd, realm, heard in await make(realm)?.observe(on: crowd) { _, _ in heard() } })
  }

  private static func sections<C: RealmSectionedResult>(
    _ name: String, _ make: @escaping @Sendable (Realm) -> C?
  ) -> Face {
    Face(
      name: name,
      here: { realm, heard in make(realm)?.observe { _ in heard() } },
      onQueue: { realm, queue, heard in make(realm)?.observe(on: queue) { _ in heard() } },
      onActor: { crowd, realm, heard in await make(realm)?.observe(on: crowd) { _, _ in heard() } })
  }

  private static let map = Face(
    name: "map",
    here: { realm, heard in owner(realm)?.shelf.observe { _ in heard() } },
    onQueue: { realm, queue, heard in owner(realm)?.shelf.observe(on: queue) { _ in heard() } },
    onActor: { crowd, realm, heard in await owner(realm)?.shelf.observe(on: crowd) { _, _ in heard() } })

  private static let object = Face(
    name: "object",
    here: { realm, heard in item(realm)?.observe { (_: ObjectChange<FacedItem>) in heard() } },
    onQueue: { realm, queue, heard in item(realm)?.observe(on: queue) { (_: ObjectChange<FacedItem>) in heard() } },
    onActor: { crowd, realm, heard in
      await item(realm)?.observe(on: crowd) { (_, _: ObjectChange<FacedItem>) in heard() }
    })

  private static let projection = Face(
    name: "projection",
    here: { realm, heard in item(realm).map { FacedLine(projecting: $0).observe { _ in heard() } } },
    onQueue: { realm, queue, heard in
      item(realm).map { FacedLine(projecting: $0).observe(on: queue) { _ in heard() } }
    },
    onActor: { crowd, realm, heard in
      guard let item = item(realm) else { return nil }
      return await FacedLine(projecting: item).observe(on: crowd) { _, _ in heard() }
    })

  private static let projectedCollection = Face(
    name: "projected collection",
    here: { realm, heard in
      owner(realm).map { FacedOwnerLine(projecting: $0).numbers.observe { _ in heard() } }
    },
    onQueue: { realm, queue, heard in
      owner(realm).map { FacedOwnerLine(projecting: $0).numbers.observe(on: queue) { _ in heard() } }
    },
    onActor: { _, _, _ in nil })

  private static func value(_ realm: Realm) -> LiveValue<(Int, Double, Int?)> {
    realm.objects(FacedItem.self).where { $0.number > 10 }
      .liveValue { ($0.count, $0.sum(of: \.weight), $0.max(of: \.number)) }
  }

  private static let value = Face(
    name: "live value",
    here: { realm, heard in value(realm).observe { _ in heard() } },
    onQueue: { realm, queue, heard in value(realm).observe(on: queue) { _ in heard() } },
    onActor: { crowd, realm, heard in await value(realm).observe(on: crowd) { _, _ in heard() } })

  private static func groups(_ realm: Realm) -> LiveGroups<(Int, String?), Double?> {
    realm.objects(FacedItem.self).grouped(by: \.group, \.owner?.name) { $0.average(of: \.weight) }
  }

  private static let groups = Face(
    name: "groups",
    here: { realm, heard in groups(realm).observe { _ in heard() } },
    onQueue: { realm, queue, heard in groups(realm).observe(on: queue) { _ in heard() } },
    onActor: { crowd, realm, heard in await groups(realm).observe(on: crowd) { _, _ in heard() } })

  private static func items(_ realm: Realm) -> Results<FacedItem> {
    realm.objects(FacedItem.self).sorted(by: \.number)
  }

  private static let values = Face(
    name: "values",
    here: { realm, heard in items(realm).observe(as: FacedRow.self) { _ in heard() } },
    onQueue: { realm, queue, heard in items(realm).observe(as: FacedRow.self, on: queue) { _ in heard() } },
    onActor: { crowd, realm, heard in
      await items(realm).observe(as: FacedRow.self, on: crowd) { _, _ in heard() }
    })
}
