// Must compile: Scripts/check-imports. A file for RealmSwift, with qualified names.
import RealmSwift

class Dog: RealmSwift.Object {
  @RealmSwift.Persisted(primaryKey: true) var id: RealmSwift.ObjectId
  @Persisted var friends: RealmSwift.List<Dog>
  @Persisted var ages: RealmSwift.Map<String, Int>
  @Persisted var tags: RealmSwift.MutableSet<String>
  @Persisted var any: RealmSwift.AnyRealmValue
  @Persisted(originProperty: "friends") var knownBy: RealmSwift.LinkingObjects<Dog>
}

func dogs(_ realm: RealmSwift.Realm, by order: RealmSwift.SortDescriptor) throws -> RealmSwift.Results<Dog> {
  do {
    return try autoreleasepool { try RealmSwift.Realm().objects(Dog.self).sorted(by: [order]) }
  } catch RealmSwift.Realm.Error.fileNotFound {
    return realm.objects(Dog.self)
  }
}
