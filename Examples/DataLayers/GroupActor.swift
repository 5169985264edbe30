import Firn
import Foundation

// An actor with a realm of its own, as the documentation of RealmSwift shows it.

actor GroupActor {
  // An implicitly unwrapped optional, because `self` is needed to open the realm.
  var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var count: Int { realm.objects(ContactGroup.self).count }

  func createGroup(titled title: String) async throws {
    try await realm.asyncWrite {
      realm.create(ContactGroup.self, value: ["title": title])
    }
  }

  func addMember(named name: String, to id: String) async throws {
    try await realm.asyncWrite {
      guard let group = realm.object(ofType: ContactGroup.self, forPrimaryKey: id) else { return }
      group.members.append(Contact(name: name, channel: .phone))
      group.scores["rank"] = (group.scores["rank"] ?? 0) + 1
    }
  }

  func titles() -> [String] { realm.objects(ContactGroup.self).sorted(by: \.title).map(\.title) }

  func ids() -> [String] { realm.objects(ContactGroup.self).map(\.id) }

  func delete(_ id: String) async throws {
    try await realm.asyncWrite {
      guard let group = realm.object(ofType: ContactGroup.self, forPrimaryKey: id) else { return }
      realm.delete(group.members)
      realm.delete(group)
    }
  }

  func close() { realm = nil }
}

@globalActor actor BackgroundActor: GlobalActor {
  static let shared = BackgroundActor()
}

@BackgroundActor
func importContacts(_ names: [String], _ configuration: Realm.Configuration) async throws -> Int {
  let realm = try await Realm(configuration: configuration, actor: BackgroundActor.shared)
  try await realm.asyncWrite {
    for name in names { realm.create(Contact.self, value: ["name": name]) }
  }
  return realm.objects(Contact.self).count
}
