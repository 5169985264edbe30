// Code that must not compile: Scripts/check-refusals. What the compiler has to say of a line is in a comment at its end.
import Firn
import Foundation

class Item: Object {
  @Persisted var name: String
}

class Part: EmbeddedObject {
  @Persisted var name: String
}

enum Plain { case one }

class Keys: Object {
  @Persisted(primaryKey: true) var double: Double  // refused: requires that 'Double' conform to '_PrimaryKey'
  @Persisted(primaryKey: true) var decimal: Decimal128  // refused: requires that 'Decimal128' conform to '_PrimaryKey'
  @Persisted(primaryKey: true) var date: Date  // refused: requires that 'Date' conform to '_PrimaryKey'
  @Persisted(primaryKey: true) var data: Data  // refused: requires that 'Data' conform to '_PrimaryKey'
  @Persisted(primaryKey: true) var list: List<Int>  // refused: conform to '_PrimaryKey'
  @Persisted(primaryKey: true) var any: AnyRealmValue  // refused: conform to '_PrimaryKey'
  @Persisted(indexed: true) var float: Float  // refused: requires that 'Float' conform to '_Indexable'
  @Persisted(indexed: true) var bytes: Data?  // refused: conform to '_Indexable'
  @Persisted(indexed: true) var price: Decimal128  // refused: requires that 'Decimal128' conform to '_Indexable'
  @Persisted(indexed: true) var set: MutableSet<Int>  // refused: conform to '_Indexable'
}

class Types: Object {
  @Persisted var array: [Int]  // refused: conform to '_Persistable'
  @Persisted var dictionary: [String: Int]  // refused: conform to '_Persistable'
  @Persisted var plain: Plain  // refused: conform to '_Persistable'
  @Persisted var url: URL  // refused: conform to '_Persistable'
  @Persisted var unsigned: UInt  // refused: conform to '_Persistable'
  @Persisted var maybeAny: AnyRealmValue?  // refused: conform to '_PersistableInsideOptional'
  @Persisted var maybeList: List<Int>?  // refused: conform to '_PersistableInsideOptional'
  @Persisted var keyed: Map<Int, Int>  // refused: conform to protocol '_MapKey'
  @Persisted var nested: List<List<Int>>  // refused: conform to protocol 'RealmCollectionValue'
  @Persisted(originProperty: "name") var origin: Item?  // refused: conform to 'LinkingObjectsProtocol'
}

class Constant: Object {  // refused: has no initializers
  @Persisted let constant: Int  // refused: can only be applied to a 'var'
}

struct NotAClass {
  @Persisted var number: Int  // refused: only in classes derived from Object
}

func transactions(_ realm: Realm) async throws {
  realm.beginWrite()  // refused: unavailable from asynchronous contexts
  realm.cancelWrite()  // refused: unavailable from asynchronous contexts
  try realm.commitWrite()  // refused: unavailable from asynchronous contexts
}

func updates(_ realm: Realm, _ item: Item) {
  realm.add(item, update: true)  // refused: 'add(_:update:)' is unavailable
  realm.add([item], update: true)  // refused: 'add(_:update:)' is unavailable
  realm.create(Item.self, value: [:] as [String: Any], update: true)  // refused: is unavailable
  realm.dynamicCreate("Item", value: [:] as [String: Any], update: true)  // refused: is unavailable
}

func sending<T: Sendable>(_ value: T) {}

func live(_ realm: Realm, _ item: Item, _ store: RealmStore) {
  sending(realm)  // refused: 'Realm' does not conform to the 'Sendable' protocol
  sending(item)  // refused: 'Item' does not conform to the 'Sendable' protocol
  sending(realm.objects(Item.self))  // refused: 'Sendable'
  sending(store)
  sending(store.freeze())
}

func aggregates(_ texts: List<String>, _ items: Results<Item>, _ parts: List<Part>) {
  _ = texts.sum()  // refused: conform to 'AddableType'
  _ = items.sum(of: \.name)  // refused: conform to 'AddableType'
  _ = MutableSet<Int>().isSubset(of: [1])  // refused: cannot convert value
}
