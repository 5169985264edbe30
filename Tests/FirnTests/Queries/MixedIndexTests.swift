import Firn
import Foundation
import Testing

/// Conditions on mixed properties find the same objects with an ordered index as without, whatever kind the constant has.
@Suite struct MixedIndexTests {
  final class Slip: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var plain: AnyRealmValue
    @Persisted(index: .ordered) var indexed: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private static func values() throws -> [AnyRealmValue] {
    var values: [AnyRealmValue] = [.none, .bool(false), .bool(true), .int(0), .int(1), .int(.max), .float(0.5)]
    values += [
      .double(-0.0), .double(.nan), .double(.infinity), .decimal128(1), .decimal128(try Decimal128(string: "NaN")),
    ]
    values += [.string(""), .string("a"), .string("a\0"), .string("a\u{10FFFF}"), .string("b")]
    values += [.data(Data()), .data(Data([0xFF])), .data(Data([0xFF, 0xFF]))]
    values += [.date(.distantPast), .date(Date(timeIntervalSinceReferenceDate: 0)), .date(.distantFuture)]
    values += [.objectId(try ObjectId(string: String(repeating: "f", count: 24)))]
    return values + [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))]
  }

  @Test func constantsOfEveryKind() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Slip.self]))
    let values = try Self.values()
    try realm.write {
      for id in 0..<40 * values.count {
        let slip = realm.create(Slip.self, value: ["id": id])
        slip.plain = values[id % values.count]
        slip.indexed = values[id % values.count]
      }
    }
    let slips = realm.objects(Slip.self)
    for value in values {
      #expect(
        Array(slips.where { $0.indexed == value }.map(\.id)) == Array(slips.where { $0.plain == value }.map(\.id)),
        "== \(value)")
      #expect(slips.where { $0.indexed != value }.count == slips.where { $0.plain != value }.count, "!= \(value)")
      #expect(
        slips.where { $0.indexed.in([value, .int(7)]) }.count == slips.where { $0.plain.in([value, .int(7)]) }.count,
        "in \(value)")
      #expect(slips.where { $0.indexed > value }.count == slips.where { $0.plain > value }.count, "> \(value)")
      #expect(slips.where { $0.indexed <= value }.count == slips.where { $0.plain <= value }.count, "<= \(value)")
    }
    #expect(slips.where { $0.indexed == .bool(true) }.explain().hasPrefix("ordered index indexed"))
  }
}
