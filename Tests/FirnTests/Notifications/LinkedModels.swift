@testable import Firn

final class Reach0: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var next: Reach1?
  @Persisted var many: List<Reach1>
  @Persisted var named: Map<String, Reach1?>
  @Persisted var some: MutableSet<Reach2>
  @Persisted var owned: ReachOwned?
}

final class Reach1: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var up: Reach0?
  @Persisted var next: Reach2?
  @Persisted(originProperty: "next") var owners: LinkingObjects<Reach0>
}

final class Reach2: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var up: Reach0?
  @Persisted var next: Reach3?
  @Persisted var many: List<Reach3>
  @Persisted var peer: Reach2?
}

final class Reach3: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var next: Reach4?
  @Persisted var back: Reach1?
}

final class Reach4: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var next: Reach5?
}

final class Reach5: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted(originProperty: "next") var owners: LinkingObjects<Reach4>
}

final class ReachOwned: EmbeddedObject {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var next: Reach3?
}

/// What a row holds: its value, and the serials of those that it links to, by property.
struct ReachRow: Equatable {
  var value: Int
  var links: [String: [Int]] = [:]
}

struct ReachState {
  var rows: [Int: ReachRow] = [:]
  var tables: [Int: [Int]] = [:]
  /// Of linking objects.
  var owners: [String: [Int]] = [:]

  init(_ realm: Realm) {
    func s<T>(_ object: T?, _ serial: (T) -> Int) -> [Int] { object.map { [serial($0)] } ?? [] }
    func note(_ table: Int, _ serial: Int, _ row: ReachRow) {
      rows[serial] = row
      tables[table, default: []].append(serial)
    }
    for o in realm.objects(Reach0.self) {
      var named: [Int] = []
      for key in o.named.keys.sorted() {
        named += [-100 - (Int(key.dropFirst()) ?? 0), (o.named[key] ?? nil)?.serial ?? -1]
      }
      note(
        0, o.serial,
        ReachRow(
          value: o.value,
          links: [
            "next": s(o.next) { $0.serial }, "many": o.many.map(\.serial), "named": named,
            "some": o.some.map(\.serial).sorted(), "owned": s(o.owned) { $0.serial },
          ]))
      if let e = o.owned {
        rows[e.serial] = ReachRow(value: e.value, links: ["next": s(e.next) { $0.serial }])
      }
    }
    for o in realm.objects(Reach1.self) {
      note(
        1, o.serial, ReachRow(value: o.value, links: ["up": s(o.up) { $0.serial }, "next": s(o.next) { $0.serial }]))
      owners["\(o.serial) owners"] = o.owners.map(\.serial).sorted()
    }
    for o in realm.objects(Reach2.self) {
      note(
        2, o.serial,
        ReachRow(
          value: o.value,
          links: [
            "up": s(o.up) { $0.serial }, "next": s(o.next) { $0.serial }, "many": o.many.map(\.serial),
            "peer": s(o.peer) { $0.serial },
          ]))
    }
    for o in realm.objects(Reach3.self) {
      note(
        3, o.serial,
        ReachRow(value: o.value, links: ["next": s(o.next) { $0.serial }, "back": s(o.back) { $0.serial }]))
    }
    for o in realm.objects(Reach4.self) {
      note(4, o.serial, ReachRow(value: o.value, links: ["next": s(o.next) { $0.serial }]))
    }
    for o in realm.objects(Reach5.self) {
      note(5, o.serial, ReachRow(value: o.value))
      owners["\(o.serial) owners"] = o.owners.map(\.serial).sorted()
    }
  }

  func targets(_ serial: Int, _ property: String) -> [Int] {
    if property == "owners" { return owners["\(serial) owners"] ?? [] }
    guard let row = rows[serial], let links = row.links[property] else { return [] }
    if property == "named" { return stride(from: 1, to: links.count, by: 2).map { links[$0] }.filter { $0 >= 0 } }
    return links
  }
}

/// What happened between two states: what must count, and with `written` what may.
struct ReachSpan {
  let old: ReachState
  let new: ReachState
  var written: [Int: Set<String>] = [:]

  init(_ old: ReachState, _ new: ReachState, _ maybe: [Int: Set<String>]) {
    (self.old, self.new) = (old, new)
    for (serial, row) in new.rows {
      guard let before = old.rows[serial] else { continue }
      var properties = maybe[serial] ?? []
      if before.value != row.value { properties.insert("value") }
      for (name, links) in row.links where before.links[name] != links { properties.insert(name) }
      if !properties.isEmpty { written[serial] = properties }
    }
  }

  func touched(_ serial: Int, depth: Int) -> Bool {
    if written[serial] != nil { return true }
    if depth == 0 { return false }
    guard let row = new.rows[serial] else { return false }
    return row.links.keys.contains { name in new.targets(serial, name).contains { touched($0, depth: depth - 1) } }
  }

  func touched(_ serial: Int, _ path: ArraySlice<Substring>) -> Bool {
    guard let first = path.first.map(String.init) else { return false }
    if first == "owners" {
      if old.rows[serial] != nil, old.targets(serial, first) != new.targets(serial, first) { return true }
    } else if written[serial]?.contains(first) == true {
      return true
    }
    let rest = path.dropFirst()
    return !rest.isEmpty && new.targets(serial, first).contains { touched($0, rest) }
  }
}
