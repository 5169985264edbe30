import Firn

// Models as an app has them: identifiable, with initialisers of their own, ignored properties and helpers.

enum Channel: String, PersistableEnum, Codable {
  case email, phone, post
}

final class Contact: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var created = Date()
  @Persisted var channel: Channel = .email
  @Persisted var picture: Data?
  @Persisted var tags: MutableSet<String>
  @Persisted var addresses: List<PostalAddress>
  @Persisted(originProperty: "members") var groups: LinkingObjects<ContactGroup>

  var isSelected = false
  var initials: String { name.split(separator: " ").compactMap(\.first).map(String.init).joined() }

  convenience init(name: String, channel: Channel = .email) {
    self.init()
    self.name = name
    self.channel = channel
  }
}

final class PostalAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city = ""
  @Persisted var country: String?
}

final class ContactGroup: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id = UUID().uuidString
  @Persisted var title = "New group"
  @Persisted var members: List<Contact>
  @Persisted var scores: Map<String, Int>

  required override init() {
    super.init()
    scores["rank"] = 1
  }
}

/// What several models have in common.
class Record: Object {
  @Persisted(primaryKey: true) var id: String = UUID().uuidString
  @Persisted var updatedAt: Date?

  func touch(_ date: Date) { updatedAt = date }
}

final class Setting: Record {
  @Persisted var value: AnyRealmValue

  convenience init(_ id: String, _ value: AnyRealmValue) {
    self.init()
    self.id = id
    self.value = value
  }
}
