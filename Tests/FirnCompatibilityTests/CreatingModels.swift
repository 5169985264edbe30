import Firn
import Foundation
import Testing

enum CreatingKind: Int, PersistableEnum {
  case plain = 1
  case fancy = 2
}

class CreatingBase: Object {
  @Persisted var inherited: String
}

final class CreatingKeyed: CreatingBase {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 7
  @Persisted var note: String?
  @Persisted var parent: CreatingKeyed?
  @Persisted var loose: CreatingLoose?
  @Persisted var parts: List<CreatingKeyed>
  @Persisted var tags: List<String>
}

final class CreatingLoose: Object {
  @Persisted var name: String
  @Persisted var twin: CreatingLoose?
  @Persisted var numbers: List<Int?>
}

final class CreatingScalars: Object {
  @Persisted var flag: Bool
  @Persisted var small: Int8
  @Persisted var medium: Int32
  @Persisted var large: Int
  @Persisted var single: Float
  @Persisted var double: Double
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var kind: CreatingKind
  @Persisted var maybeFlag: Bool?
  @Persisted var maybeInt: Int16?
  @Persisted var maybeFloat: Float?
  @Persisted var maybeDouble: Double?
  @Persisted var maybeText: String?
  @Persisted var maybeData: Data?
  @Persisted var maybeDate: Date?
  @Persisted var maybeUUID: UUID?
  @Persisted var maybeKind: CreatingKind?
}

/// Has some of the names of `CreatingLoose`.
final class CreatingNamed: Object {
  @Persisted var name: String
}

final class CreatingDated: Object {
  @Persisted var made = Date()
  @Persisted var token = UUID()
  @Persisted var lazyDate: Date
}

extension Realm.Configuration {
  static func creating() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [
        CreatingKeyed.self, CreatingLoose.self, CreatingScalars.self, CreatingNamed.self, CreatingDated.self,
      ])
  }
}

func creatingRealm() throws -> Realm { try Realm(configuration: .creating()) }

/// Notes what a callback on any thread was told.
///
/// State    guarded by
/// noted    lock
final class CreatingCalls: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  var texts: [String] { lock.withLock { noted } }

  func add(_ text: String) { lock.withLock { noted.append(text) } }
}
