public import Firn

struct Celsius: Equatable {
  var degrees: Double
}

extension Celsius: CustomPersistable {
  typealias PersistedType = Double
  init(persistedValue: Double) { self.init(degrees: persistedValue) }
  var persistableValue: Double { degrees }
}

// The library conforms no type of Foundation, so that users can.
// swift-format-ignore: AvoidRetroactiveConformances
extension URL: @retroactive FailableCustomPersistable {
  public typealias PersistedType = String
  public init?(persistedValue: String) { self.init(string: persistedValue) }
  public var persistableValue: String { absoluteString }
}

struct Features: OptionSet {
  let rawValue: Int
  static let heated = Features(rawValue: 1)
  static let covered = Features(rawValue: 2)
}

extension Features: PersistableRawRepresentable {}

class Kennel: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var temperature: Celsius
  @Persisted var site: URL?
  @Persisted var features: Features
  @Persisted var history: List<Celsius>
}
