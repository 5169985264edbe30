import Firn
import Foundation

// Realms of the main actor: `lazy var realm`, observers that feed a view model, writes from a function of no actor.

@MainActor
final class ContactListModel {
  private let configuration: Realm.Configuration
  lazy var realm = try! Realm(configuration: configuration)
  private lazy var contacts = realm.objects(Contact.self)
    .sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "created", ascending: false)])
  private var token: NotificationToken?
  private(set) var rows: [String] = []
  private(set) var changeCount = 0

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  deinit { token?.invalidate() }

  func start() {
    token = contacts.observe { [weak self] changes in
      guard let self else { return }
      switch changes {
      case .initial(let contacts):
        rows = contacts.map(\.name)
      case .update(let contacts, let deletions, let insertions, let modifications):
        rows = contacts.map(\.name)
        changeCount += deletions.count + insertions.count + modifications.count
      case .error(let error):
        fatalError("\(error)")
      }
    }
  }

  func add(_ name: String) throws {
    try realm.write { realm.add(Contact(name: name)) }
  }

  func rename(_ contact: Contact, to name: String) async throws {
    try await realm.asyncWrite { contact.name = name }
  }

  func delete(at offsets: IndexSet) throws {
    try realm.write {
      for index in offsets.reversed() { realm.delete(contacts[index]) }
    }
  }
}

/// Kept by code of no actor, though its realm belongs to the main actor.
final class SettingsStorage {
  private let configuration: Realm.Configuration
  @MainActor private(set) lazy var realm = try! Realm(configuration: configuration)

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func save(_ setting: Setting) async throws {
    let realm = await realm
    try await realm.asyncWrite { realm in
      setting.touch(Date())
      realm.add(setting, update: .modified)
    }
  }

  @MainActor func value(_ id: String) -> AnyRealmValue? {
    realm.object(ofType: Setting.self, forPrimaryKey: id)?.value
  }

  static func open(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration)
    return realm.objects(Setting.self).count
  }
}
