import FirnEngine
import Foundation

@testable import Firn

/// What was committed, told naively: the lines of each commit, and which rows it touched.
struct PastModel {
  struct Flight: Equatable {
    var id: String
    var delay = 0
    var note: String?
    var stops: [Int] = []
    /// The row of the plane.
    var plane: UInt64?
  }

  struct Commit {
    var version: UInt64
    var author: String
    /// What `history` has to say, a line for each object, in its order.
    var lines: [String]
    var flights = Touched()
    var planes = Touched()
  }

  /// Rows by what happened to them.
  struct Touched: Equatable {
    var inserted: Set<UInt64> = []
    var modified: [UInt64: Set<String>] = [:]
    /// With their primary keys.
    var deleted: [UInt64: String] = [:]

    mutating func add(_ later: Touched) {
      for (row, names) in later.modified where !inserted.contains(row) { modified[row, default: []].formUnion(names) }
      inserted.formUnion(later.inserted)
      for (row, key) in later.deleted {
        modified[row] = nil
        if inserted.remove(row) == nil { deleted[row] = key }
      }
    }
  }

  /// By row.
  private(set) var flights: [UInt64: Flight] = [:]
  private(set) var planes: [UInt64: Int] = [:]
  private(set) var commits: [Commit] = []
  private var nextID = 0

  // MARK: Writing

  /// Makes random changes in a transaction, and returns what is to be recorded when it is committed.
  mutating func change(_ realm: Realm, _ random: inout SeededRandom) -> PastModel {
    var next = self
    var written: [UInt64: Set<String>] = [:]
    for _ in 0..<(1 + random.below(4)) { next.changeOnce(realm, &random, &written) }
    next.record(written, since: self)
    return next
  }

  private mutating func changeOnce(
    _ realm: Realm, _ random: inout SeededRandom, _ written: inout [UInt64: Set<String>]
  ) {
    let rows = flights.keys.sorted()
    guard let row = rows.randomElement(using: &random), let id = flights[row]?.id, rows.count > 2,
      let flight = realm.object(ofType: PastFlight.self, forPrimaryKey: id)
    else { return insert(realm, &random) }
    func write(_ name: String) { written[row, default: []].insert(name) }
    switch random.below(11) {
    case 0, 1: insert(realm, &random)
    case 2:
      realm.delete(flight)
      flights[row] = nil
    case 3:
      let plane = realm.create(PastPlane.self, value: ["seats": random.below(100)])
      planes[plane._key] = plane.seats
    case 4:
      guard let plane = realm.objects(PastPlane.self).randomElement(using: &random) else { return }
      let key = plane._key
      realm.delete(plane)
      planes[key] = nil
      for (row, flight) in flights where flight.plane == key {
        flights[row]?.plane = nil
        written[row, default: []].insert("plane")
      }
    case 5:
      guard let plane = realm.objects(PastPlane.self).randomElement(using: &random) else { return }
      flight.plane = plane
      flights[row]?.plane = plane._key
      write("plane")
    case 6:
      flight.note = random.chance(30) ? nil : "note \(random.below(5))"
      flights[row]?.note = flight.note
      write("note")
    case 7:
      flight.stops.append(random.below(9))
      flights[row]?.stops = Array(flight.stops)
      write("stops")
    default:
      flight.delay = random.below(100)
      flights[row]?.delay = flight.delay
      write("delay")
    }
  }

  private mutating func insert(_ realm: Realm, _ random: inout SeededRandom) {
    // Primary keys come back.
    let id = "F\(random.chance(50) ? random.below(12) : nextID)"
    nextID += 1
    if flights.values.contains(where: { $0.id == id }) { return }
    let flight = realm.create(PastFlight.self, value: ["id": id, "delay": random.below(100)])
    flights[flight._key] = Flight(id: id, delay: flight.delay)
  }

  private mutating func record(_ written: [UInt64: Set<String>], since old: PastModel) {
    var commit = Commit(version: 0, author: "", lines: [])
    for row in flights.keys.sorted() where old.flights[row] == nil {
      commit.flights.inserted.insert(row)
      commit.lines.append("+ \(line(row)) \(values(row, ["id", "delay", "note", "stops", "plane"], nil, self))")
    }
    for row in flights.keys.sorted() where old.flights[row] != nil {
      guard let names = written[row], !names.isEmpty else { continue }
      commit.flights.modified[row] = names
      commit.lines.append("~ \(line(row)) \(values(row, names, old, self))")
    }
    for row in old.flights.keys.sorted() where flights[row] == nil {
      commit.flights.deleted[row] = old.flights[row]?.id
      commit.lines.append("- \(old.line(row)) \(old.values(row, ["delay", "note", "plane"], old, nil))")
    }
    for row in planes.keys.sorted() where old.planes[row] == nil {
      commit.planes.inserted.insert(row)
      commit.lines.append("+ PastPlane \(row) seats:-→\(planes[row] ?? 0)")
    }
    for row in old.planes.keys.sorted() where planes[row] == nil {
      commit.planes.deleted[row] = ""
      commit.lines.append("- PastPlane \(row) seats:\(old.planes[row] ?? 0)→-")
    }
    commits.append(commit)
  }

  private func line(_ row: UInt64) -> String { "PastFlight \(row) \(flights[row]?.id ?? "")" }

  private func values(_ row: UInt64, _ names: Set<String>, _ old: PastModel?, _ new: PastModel?) -> String {
    ["id", "delay", "note", "stops", "plane"].filter(names.contains).map { name in
      func value(_ flight: Flight?) -> String {
        guard let flight else { return "-" }
        return switch name {
        case "id": flight.id
        case "delay": "\(flight.delay)"
        case "note": flight.note ?? "nil"
        case "plane": flight.plane.map { "plane \($0)" } ?? "nil"
        default: "-"
        }
      }
      return "\(name):\(value(old?.flights[row]))→\(value(new?.flights[row]))"
    }.joined(separator: " ")
  }

  /// The last change was committed. Nothing that was written leaves no commit.
  mutating func commit(_ version: UInt64, by author: String) {
    commits[commits.count - 1].version = version
    commits[commits.count - 1].author = author
  }

  /// The last change turned out to be none.
  mutating func dropLast() { commits.removeLast() }

  // MARK: Reading

  /// An entry as lines.
  static func lines(_ entry: RealmStore.HistoryEntry) -> [String] {
    entry.classes.flatMap { changes in
      changes.insertions.map { line("+", $0) } + changes.modifications.map { line("~", $0) }
        + changes.deletions.map { line("-", $0) }
    }
  }

  private static func line(_ sign: String, _ object: RealmStore.ObjectHistory) -> String {
    let identity = object.identity
    var parts = [sign, identity.className, "\(identity.row)"]
    if identity.className == "PastFlight" { parts.append(identity.primaryKey.map(text) ?? "?") }
    for property in object.properties {
      let name = property.name
      parts.append("\(name):\(property.oldValue.map(text) ?? "-")→\(property.newValue.map(text) ?? "-")")
    }
    return parts.joined(separator: " ")
  }

  private static func text(_ value: RealmStore.HistoryValue) -> String {
    switch value {
    case .null: "nil"
    case .int(let value): "\(value)"
    case .string(let value): value
    case .object(let identity): "plane \(identity.row)"
    default: "\(value)"
    }
  }

  /// What the commits after one of them touched, on the whole.
  func touched(after version: UInt64) -> (flights: Touched, planes: Touched) {
    var flights = Touched()
    var planes = Touched()
    for commit in commits where commit.version > version {
      flights.add(commit.flights)
      planes.add(commit.planes)
    }
    return (flights, planes)
  }
}

extension RealmStore {
  /// What was touched up to the newest version.
  func touchedRows(after number: UInt64) async throws -> TouchedHistory? {
    try await store.touchedRows(after: number, through: store.graph.holdHead())
  }
}

extension TouchedHistory {
  /// The rows of a class, as the model has them.
  func touched(_ name: String, in store: Store) -> PastModel.Touched {
    let table = TableID(store.schema.index(named: name) ?? 0)
    let changes = changes.tables[table.index]
    let names = store.graph.layout.tables[table.index].descriptions.map(\.name)
    var touched = PastModel.Touched()
    touched.inserted = Set(changes.inserted.map(\.rawValue))
    for row in changes.modified {
      touched.modified[row.key.rawValue] = Set(
        names.indices.filter { row.columns.contains(ColumnID($0)) }.map { names[$0] })
    }
    for key in changes.deleted {
      var text = ""
      if case .string(let bytes)? = deletedPrimaryKeys[table]?[key] { text = String(decoding: bytes, as: UTF8.self) }
      touched.deleted[key.rawValue] = text
    }
    return touched
  }
}
