// Code that must not compile: Scripts/check-refusals. Names of RealmSwift for which there is something else here.
import Firn
import FirnCombine

class Dog: Object {
  @Persisted var name: String
}

class Measurement: AsymmetricObject {  // refused: Firn has no sync, for which such objects are.
}

func keyValueObserving(_ dog: Dog, _ observer: Watcher) {
  _ = dog.observe(\.name, options: [.old, .new]) { dog, change in  // refused: Write observe(keyPaths: [\.name])
    print(dog.name, change.oldValue ?? "", change.newValue ?? "")
  }
  dog.addObserver(observer, forKeyPath: "name", context: nil)  // refused: Write observe(keyPaths: ["name"])
  dog.removeObserver(observer, forKeyPath: "name")  // refused: Invalidate the token
  _ = dog.publisher(for: \.name).sink { name in print(name) }  // refused: Write valuePublisher(object,
}

class Watcher {}

func syncing(_ realm: Realm, _ configuration: inout Realm.Configuration) async throws {
  configuration.syncConfiguration = nil  // refused: 'syncConfiguration' is unavailable: Firn has no sync.
  let session: SyncSession? = realm.syncSession  // refused: Firn has no sync. Remove what waits for it.
  let subscriptions = realm.subscriptions  // refused: 'subscriptions' is unavailable: Firn has no sync
  try await realm.objects(Dog.self).subscribe(name: "dogs")  // refused: Firn has no sync, and keeps all objects.
  realm.objects(Dog.self).unsubscribe()  // refused: Firn has no sync, and keeps all objects.
  print(session as Any, subscriptions)
}

func synced(_ configuration: SyncConfiguration) {}  // refused: Open the realm with Realm.Configuration(fileURL:).
