// Code that must not compile: Scripts/check-refusals. What the compiler has to say of a line is in a comment at its end.
import Firn
import FirnMapping
import Foundation

/// Could be stored as JSON, if it said so.
class MyClass: Codable {
  var a = ""
}

class Sample: Object {
  @Persisted var mine: MyClass?  // refused: requires that 'MyClass' conform to '_Persistable
  @Persisted var numbers: [Int]  // refused: conform to '_Persistable'
  @Persisted var names: Set<String>  // refused: conform to '_Persistable'
  @Persisted var site: URL  // What the extension below declares is enough.
  @Persisted var place: CGPoint?
  @Persisted var places: List<CGPoint>
}

// The library conforms no type of Foundation, so that users can.
// swift-format-ignore: AvoidRetroactiveConformances
extension URL: @retroactive ColumnCodable {
  public static var columnType: ColumnType { .text }
  public init?(with value: Value) { self.init(string: value.stringValue) }
  public func archivedValue() -> Value { Value(absoluteString) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension CGPoint: @retroactive ColumnJSONCodable {}

/// Two ways to be stored are one too many.
struct Both: CustomPersistable, ColumnCodable {  // refused: 'Both' does not conform to protocol
  var number: Int64
  init(persistedValue: Int64) { number = persistedValue }
  var persistableValue: Int64 { number }
  static var columnType: ColumnType { .integer64 }
  init?(with value: Value) { number = value.int64Value }
  func archivedValue() -> Value { Value(number) }
}
