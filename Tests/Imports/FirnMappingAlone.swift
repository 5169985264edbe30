// Must compile: Scripts/check-imports. Firn comes with its mapping protocols.
import FirnMapping

struct Place: ColumnJSONCodable {
  var name = ""
  var since: Date?
}

struct Link: ColumnCodable {
  var url: URL
  static var columnType: ColumnType { .text }
  init?(with value: Value) {
    guard let url = URL(string: value.stringValue) else { return nil }
    self.url = url
  }
  func archivedValue() -> Value { Value(url.absoluteString) }
}

class Shop: Object {
  @Persisted var place: Place?
  @Persisted var link: Link?
}
