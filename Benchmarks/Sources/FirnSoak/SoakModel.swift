import Firn
import Foundation

/// A row of one of the writers.
class SoakItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var writer: Int
  @Persisted var number: Int
  @Persisted var text: String
  @Persisted var tags: List<Int>
  @Persisted var previous: SoakItem?
}

/// What a writer's rows have to be in the same version: changed in each of its transactions.
class SoakLedger: Object {
  @Persisted(primaryKey: true) var writer: Int
  @Persisted var round: Int
  @Persisted var count: Int
  @Persisted var sum: Int
}

enum SoakModel {
  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: file, objectTypes: [SoakItem.self, SoakLedger.self])
    // Many checkpoints, of which some are bases.
    configuration.checkpoints.journalByteCount = 2 << 20
    configuration.checkpoints.interval = .seconds(1)
    configuration.history = .init(byteCount: 8 << 20, age: .seconds(120))
    return configuration
  }

  /// A number for the content of a row.
  static func checksum(id: Int, number: Int, text: String) -> Int {
    (id &* 31 &+ number) &* 31 &+ text.utf8.count
  }

  /// A text that can be told from its first number.
  static func text(_ number: Int, count: Int) -> String {
    String(repeating: Character(UnicodeScalar(UInt8(97 + abs(number % 26)))), count: count)
  }

  /// Throws when the rows of a version are not those that the ledgers in it speak of.
  static func check(_ realm: Realm, _ note: String) throws {
    var found: [Int: (count: Int, sum: Int)] = [:]
    for item in realm.objects(SoakItem.self) {
      let (id, number, text) = (item.id, item.number, item.text)
      guard text == self.text(number, count: text.utf8.count), item.tags.count == number & 3 else {
        throw SoakFailure("A version \(note) has the row \(id) with a part of another version.")
      }
      found[item.writer, default: (0, 0)].count += 1
      found[item.writer, default: (0, 0)].sum &+= checksum(id: id, number: number, text: text)
    }
    for ledger in realm.objects(SoakLedger.self) {
      let rows = found.removeValue(forKey: ledger.writer) ?? (0, 0)
      guard rows.count == ledger.count, rows.sum == ledger.sum else {
        throw SoakFailure(
          "A version \(note) has \(rows.count) rows with the sum \(rows.sum) of writer \(ledger.writer), and should have "
            + "\(ledger.count) with \(ledger.sum).")
      }
    }
    guard found.isEmpty else { throw SoakFailure("A version \(note) has rows of no writer: \(found.keys.sorted()).") }
  }
}
