import Firn
import Foundation

// JSON on a server: decoded models that are added, values that are mapped to models, frozen objects that are answered.

final class CustomerOrder: Object, Codable {
  @Persisted(primaryKey: true) var id: String
  @Persisted var customer: String
  @Persisted var note: String?
  @Persisted var lines: List<OrderLine>
  @Persisted var placed: Date
}

final class OrderLine: EmbeddedObject, Codable {
  @Persisted var article: String
  @Persisted var quantity: Int
  @Persisted var price: Decimal128
}

/// A model whose JSON has other names and shapes.
final class Supplier: Object, Decodable {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var companyName: String
  @Persisted var site: String?
  @Persisted var openingHours: Map<String, String>

  enum CodingKeys: String, CodingKey {
    case number = "no"
    case companyName = "company_name"
    case site = "url"
    case openingHours = "opening_hours"
  }

  required convenience init(from decoder: Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    companyName = try container.decode(String.self, forKey: .companyName)
    site = try container.decodeIfPresent(URL.self, forKey: .site)?.absoluteString
    let hours = try container.decodeIfPresent([String: String].self, forKey: .openingHours) ?? [:]
    for (day, time) in hours { openingHours[day] = time }
  }
}

/// What clients get, apart from the model.
struct OrderAnswer: Codable, Equatable {
  var id: String
  var customer: String
  var total: Double

  init(_ order: Frozen<CustomerOrder>) {
    id = order.id
    customer = order.customer
    total = order.lines.reduce(0) { $0 + $1.price.doubleValue * Double($1.quantity) }
  }
}

final class OrderService: Sendable {
  private let store: RealmStore

  init(_ store: RealmStore) { self.store = store }

  func place(_ body: Data) async throws -> OrderAnswer {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let order = try decoder.decode(CustomerOrder.self, from: body)
    let placed = try await store.write { realm in
      realm.add(order, update: .modified)
      return order
    }
    return OrderAnswer(placed)
  }

  func importSuppliers(_ body: Data) async throws -> Int {
    let suppliers = try JSONDecoder().decode([Supplier].self, from: body)
    return try await store.write { realm in
      realm.add(suppliers, update: .all)
      return realm.objects(Supplier.self).count
    }
  }

  func order(_ id: String) throws -> OrderAnswer? {
    try store.freeze().object(ofType: CustomerOrder.self, forPrimaryKey: id).map { OrderAnswer(try Frozen($0)) }
  }

  func annotate(_ id: String, _ note: String) async throws -> Bool {
    try await store.write { realm in
      guard let order = realm.object(ofType: CustomerOrder.self, forPrimaryKey: id) else { return false }
      order.note = note
      return true
    }
  }

  func encoded() throws -> Data {
    let answers: [OrderAnswer] = try store.freeze().objects(CustomerOrder.self).map { OrderAnswer(try Frozen($0)) }
    return try JSONEncoder().encode(answers)
  }
}
