import Firn
import FirnMapping
import Foundation

/// The code of the page for people who come from WCDB.
private enum Mapping {
  struct Place: ColumnJSONCodable {
    var name = ""
    var numbers: [Int] = []
  }

  enum Kind: Int32, ColumnCodable {
    case first = 1
    case second = 2

    static var columnType: ColumnType { .integer32 }
    init?(with value: Value) { self.init(rawValue: value.int32Value) }
    func archivedValue() -> Value { Value(rawValue) }
  }

  class Shop: Object {
    @Persisted(indexed: true) var kind = Kind.first
    @Persisted var place: Place?
  }

  struct Archived: ColumnEncodable {
    static var columnType: ColumnType { .BLOB }

    func archivedValue() -> Value {
      guard let data = try? JSONEncoder().encode(self) else { return Value(nil) }
      return Value(data)
    }
  }

  /// The code in comments.
  enum Comments {
    struct Color: ColumnCodable {
      var rgb: Int64
      static var columnType: ColumnType { .integer64 }
      init?(with value: Value) { rgb = value.int64Value }
      func archivedValue() -> Value { Value(rgb) }
    }

    class Car: Object {
      @Persisted var color: Color?
    }

    struct Place: ColumnJSONCodable {
      var city = ""
      var street = ""
    }
  }
}
