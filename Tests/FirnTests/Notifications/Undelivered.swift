import Firn
import Foundation

final class Noted: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var text: String?
  @Persisted var friends: List<Noted>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "friends") var followers: LinkingObjects<Noted>
}

/// A realm with observers of every kind, whose callbacks are only a record. Changes can be made while nobody is told.
final class Undelivered {
  let realm: Realm
  /// What the object, the list, the map and the whole table were reported to have become.
  private(set) var object: [String] = []
  private(set) var list: [String] = []
  private(set) var map: [String] = []
  private(set) var table: [String] = []
  private(set) var tokens: [NotificationToken] = []
  /// Observers end in their next call.
  var endsInCall = false
  private var whileUntold: (() throws -> Void)?
  private var failure: (any Error)?

  init(_ configuration: Realm.Configuration? = nil) throws {
    realm = try Realm(
      configuration: configuration
        ?? Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Noted.self]))
    try realm.write { for id in 0..<4 { add(id) } }
    let subject = try subject()
    tokens = [
      realm.observe { [unowned self] _, _ in
        let body = whileUntold
        whileUntold = nil
        do { try body?() } catch { failure = error }
      },
      subject.observe { [unowned self] (change: ObjectChange<Noted>) in
        switch change {
        case .change(_, let changes):
          object.append(
            changes.map { "\($0.name): \($0.oldValue ?? "-") → \($0.newValue ?? "-")" }.joined(separator: ", "))
        case .deleted: object.append("deleted")
        case .error: object.append("error")
        }
        called(1)
      },
      subject.friends.observe { [unowned self] change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          list.append("-\(deletions) +\(insertions) ~\(modifications)")
          called(2)
        }
      },
      subject.scores.observe { [unowned self] change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          map.append("-\(deletions.joined()) +\(insertions.joined()) ~\(modifications.joined())")
          called(3)
        }
      },
      realm.objects(Noted.self).observe { [unowned self] change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          table.append("-\(deletions) +\(insertions) ~\(modifications)")
          called(4)
        }
      },
    ]
    deliver()
  }

  private func called(_ number: Int) { if endsInCall { tokens[number].invalidate() } }

  struct Missing: Error {}

  func subject() throws -> Noted {
    guard let subject = realm.object(ofType: Noted.self, forPrimaryKey: 0) else { throw Missing() }
    return subject
  }

  @discardableResult
  func add(_ id: Int) -> Noted {
    let new = Noted()
    new.id = id
    realm.add(new)
    return new
  }

  /// Those of the object and the collections.
  var dataTokens: [NotificationToken] { Array(tokens[1...]) }

  /// Runs `body` at a moment in which its transactions are told to nobody: in a callback of the realm.
  func whileNobodyIsTold(_ body: @escaping () throws -> Void) throws {
    whileUntold = body
    try realm.write {}
    if let failure { throw failure }
  }

  /// Commits, with what came before it folded into the observers, but told to none of them.
  func writeAndFold(_ body: () throws -> Void) throws {
    try realm.write(withoutNotifying: [tokens[0]], body)
  }

  /// Commits without telling the observers of data, ever.
  func writeInSilence(_ body: () throws -> Void) throws {
    try realm.write(withoutNotifying: dataTokens, body)
  }

  /// Tells everybody everything.
  func deliver() { realm.refresh() }

  func forget() { (object, list, map, table) = ([], [], [], []) }
}
