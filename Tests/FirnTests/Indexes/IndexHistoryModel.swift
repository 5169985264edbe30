import FirnEngine
import TestSupport

@testable import Firn

/// Workers and their bosses with indexes of every kind, also behind links that many share.
enum Staff {
  class Boss: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(index: .ordered) var number: Int?
    @Persisted var place: Placed.Location?

    override class func _realmObjectName() -> String? { "Boss" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Worker: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var level: Int?
    @Persisted var rate: Double
    @Persisted var code: String?
    @Persisted var desk: Int?
    @Persisted var boss: Boss?
    @Persisted var friend: Worker?
    @Persisted var location: Placed.Location?

    override class func indexes() -> [Index] {
      [
        Index(\Worker.name), Index(\Worker.level, \Worker.name), Index(\Worker.rate), .unique(\Worker.code),
        .unique(\Worker.boss?.number, \Worker.desk), Index(\Worker.boss?.number, \Worker.name),
        .geo(\Worker.location), .geo(\Worker.boss?.place), .geo(\Worker.friend?.location),
        Index(\Worker.friend?.boss?.number, \Worker.level),
      ]
    }
    override class func _realmObjectName() -> String? { "Worker" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static let types: [ObjectBase.Type] = [Boss.self, Worker.self, Placed.Location.self]
}

/// The same as plain values, in the order in which rows were added.
struct StaffModel {
  struct Place: Equatable {
    var type = "Point"
    var coordinates: [Double]

    var point: SpherePoint? {
      guard type.lowercased() == "point", coordinates.count > 1 else { return nil }
      return SpherePoint(checkedLatitude: coordinates[1], longitude: coordinates[0])
    }
  }

  struct Boss {
    var id: Int
    var number: Int?
    var place: Place?
  }

  struct Worker {
    var id: Int
    var name = ""
    var level: Int?
    var rate = 0.0
    var code: String?
    var desk: Int?
    var boss: Int?
    var friend: Int?
    var place: Place?
  }

  var bosses: [Boss] = []
  var workers: [Worker] = []

  func boss(_ id: Int?) -> Boss? { id.flatMap { id in bosses.first { $0.id == id } } }
  func worker(_ id: Int?) -> Worker? { id.flatMap { id in workers.first { $0.id == id } } }

  mutating func delete(worker id: Int) {
    workers.removeAll { $0.id == id }
    for index in workers.indices where workers[index].friend == id { workers[index].friend = nil }
  }

  mutating func delete(boss id: Int) {
    bosses.removeAll { $0.id == id }
    for index in workers.indices where workers[index].boss == id { workers[index].boss = nil }
  }

  /// Whether a unique index is violated.
  var hasEquals: Bool {
    let codes = workers.compactMap(\.code)
    let numbers = Dictionary(uniqueKeysWithValues: bosses.map { ($0.id, $0.number) })
    let pairs = workers.compactMap { worker -> [Int]? in
      guard let desk = worker.desk, let boss = worker.boss, let number = numbers[boss] ?? nil else { return nil }
      return [number, desk]
    }
    return Set(codes).count < codes.count || Set(pairs).count < pairs.count
  }

  /// The ids of some workers in the order of values; nil comes first, what is behind no link last.
  func sorted(ascending: Bool = true, _ keys: (Worker) -> [SortedValue]) -> [Int] {
    workers.enumerated().map { ($0, $1.id, keys($1)) }.sorted { one, other in
      if one.2 == other.2 { return one.0 < other.0 }
      return one.2.lexicographicallyPrecedes(other.2) == ascending
    }.map(\.1)
  }
}

/// A value in the order of an index.
enum SortedValue: Comparable {
  case null
  case notANumber
  case int(Int)
  case double(Double)
  case text([UInt8])
  case missing

  init(_ int: Int?) { self = int.map { .int($0) } ?? .null }
  init(_ double: Double) { self = double.isNaN ? .notANumber : .double(double) }
  init(_ text: String) { self = .text(Array(text.utf8)) }

  static func < (one: SortedValue, other: SortedValue) -> Bool {
    switch (one, other) {
    case (.int(let one), .int(let other)): one < other
    case (.double(let one), .double(let other)): one < other
    case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
    default: one.rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .notANumber: 1
    case .int, .double, .text: 2
    case .missing: 3
    }
  }
}
