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
      map, object, projection, projectedCollection,
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
}
