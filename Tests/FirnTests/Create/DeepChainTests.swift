import Firn
import Foundation
import TestSupport
import Testing

private final class Box: EmbeddedObject {
  @Persisted var node: Node?
}

private struct Parcel: CustomPersistable {
  typealias PersistedType = ParcelObject
  var node: Node?

  init(node: Node?) { self.node = node }
  init(persistedValue: ParcelObject) { node = persistedValue.node }
  var persistableValue: ParcelObject {
    let object = ParcelObject()
    object.node = node
    return object
  }
}

private final class ParcelObject: EmbeddedObject {
  @Persisted var node: Node?
}

/// Leads to others in every way there is.
private final class Node: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: Node?
  @Persisted var list: List<Node>
  @Persisted var set: MutableSet<Node>
  @Persisted var map: Map<String, Node?>
  @Persisted var mixed: AnyRealmValue
  @Persisted var mixedList: List<AnyRealmValue>
  @Persisted var box: Box?
  @Persisted var boxes: List<Box>
  @Persisted var parcel: Parcel?

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

private final class Owner: Object {
  @Persisted var number: Int
  @Persisted(deleteRule: .cascade) var owned: Owner?
}

private final class Codes: Object, Codable {
  @Persisted var number: Int
  @Persisted var next: Codes?
}

/// A way from one object to the next.
private enum Way: CaseIterable, CustomTestStringConvertible {
  case link, list, set, map, mixed, mixedList, nestedMixed, embedded, embeddedList, custom

  var testDescription: String { "\(self)" }

  func lead(from node: Node, to target: Node) {
    switch self {
    case .link: node.next = target
    case .list: node.list.append(target)
    case .set: node.set.insert(target)
    case .map: node.map["key"] = target
    case .mixed: node.mixed = .object(target)
    case .mixedList: node.mixedList.append(.object(target))
    case .nestedMixed: node.mixed = .fromDictionary(["key": .fromArray([.int(1), .object(target)])])
    case .embedded:
      node.box = Box()
      node.box?.node = target
    case .embeddedList:
      let box = Box()
      box.node = target
      node.boxes.append(box)
    case .custom: node.parcel = Parcel(node: target)
    }
  }
}

/// Chains of objects of any length fit on the stack of a task.
struct DeepChainTests {
  private static let stackByteCount = 512 << 10

  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Node.self, Box.self, ParcelObject.self, Owner.self, Codes.self])
  }

  /// FIRN_CHAIN_LENGTH of the environment, or what a normal run has.
  private static func length(_ standard: Int) -> Int {
    environmentNumber("FIRN_CHAIN_LENGTH") ?? standard
  }

  private static func chain(_ count: Int, _ way: (Int) -> Way) -> Node {
    let head = Node(id: 0)
    var last = head
    for id in 1..<count {
      let next = Node(id: id)
      way(id).lead(from: last, to: next)
      last = next
    }
    return head
  }

  @Test func links() throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let count = Self.length(100_000)
      let realm = try Realm(configuration: Self.configuration())
      let head = Self.codes(count)
      try realm.write { realm.add(head) }
      #expect(realm.objects(Codes.self).count == count)
      #expect(realm.objects(Codes.self)[count / 2].number == count / 2)
      #expect(realm.objects(Codes.self)[count / 2].next?.number == count / 2 + 1)
      #expect(head.description.contains("Maximum depth exceeded"))
      #expect(head.freeze().next?.next?.number == 2)
      try realm.write { realm.deleteAll() }
      #expect(head.isInvalidated)
    }
  }

  private static func codes(_ count: Int) -> Codes {
    let head = Codes()
    var last = head
    for number in 1..<count {
      let next = Codes()
      next.number = number
      last.next = next
      last = next
    }
    return head
  }

  @Test(arguments: Way.allCases) fileprivate func chains(by way: Way) throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let count = Self.length(6_000)
      let realm = try Realm(configuration: Self.configuration())
      try realm.write { realm.add(Self.chain(count) { _ in way }) }
      #expect(realm.objects(Node.self).map(\.id) == Array(0..<count))
      // The same keys: every object of the chain is updated in place.
      for policy in [Realm.UpdatePolicy.modified, .all] {
        try realm.write { realm.add(Self.chain(count) { _ in way }, update: policy) }
        #expect(realm.objects(Node.self).count == count)
      }
      // Never added.
      _ = Self.chain(count) { _ in way }
    }
  }

  @Test func chainsOfAllWaysInATask() async throws {
    let ways = Way.allCases
    let count = Self.length(6_000)
    try await Task.detached {
      let realm = try Realm(configuration: Self.configuration())
      try realm.write { realm.add(Self.chain(count) { ways[$0 % ways.count] }) }
      #expect(realm.objects(Node.self).map(\.id) == Array(0..<count))
    }.value
  }

  @Test func createdFromAChain() throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let realm = try Realm(configuration: Self.configuration())
      let count = Self.length(6_000)
      let head = Self.chain(count) { [.link, .list, .map, .embedded][$0 % 4] }
      try realm.write { realm.create(Node.self, value: head) }
      #expect(realm.objects(Node.self).count == count)
      #expect(head.realm == nil)
    }
  }

  @Test func accessorsThatWereHandedOutOneByTheOther() throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let realm = try Realm(configuration: Self.configuration())
      try realm.write { realm.add(Self.chain(10_000) { _ in .link }) }
      var head = realm.object(ofType: Node.self, forPrimaryKey: 0)
      var kept: [Node] = []
      var node = head
      while let current = node {
        kept.append(current)
        node = current.next
      }
      #expect(kept.count == 10_000)
      kept = []
      // Each is kept by the one before only.
      head = nil
    }
  }

  @Test func ownedObjectsGoWithTheirOwners() throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let realm = try Realm(configuration: Self.configuration())
      let head = Owner()
      var last = head
      for number in 1..<20_000 {
        let next = Owner()
        next.number = number
        last.owned = next
        last = next
      }
      try realm.write { realm.add(head) }
      #expect(realm.objects(Owner.self).count == 20_000)
      try realm.write { realm.delete(head) }
      #expect(realm.objects(Owner.self).count == 0)
    }
  }

  @Test func encodingRefusesWhatIsTooDeep() throws {
    try onOwnThread(stackByteCount: Self.stackByteCount) {
      let text = try JSONEncoder().encode(Self.codes(90))
      #expect(try JSONDecoder().decode(Codes.self, from: text).next?.next?.number == 2)
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(Self.codes(20_000)) }
    }
  }

  /// Rows are made in the order in which a walk meets the objects that goes to the end of each way before the next.
  @Test(arguments: 0..<40 as Range<UInt64>) func orderOfInsertion(seed: UInt64) throws {
    try onOwnThread {
      var random = SeededRandom(seed)
      // Ways that hold one object each, so that the graph has an order; embedded lists are tested above.
      let ways: [Way] = [.link, .list, .set, .mixed, .mixedList, .embedded]
      let count = 60
      let nodes = (0..<count).map { Node(id: $0) }
      // Also back, to itself, and twice to the same.
      for node in nodes {
        for way in ways where Int.random(in: 0..<4, using: &random) == 0 {
          let times = way == .list || way == .mixedList ? Int.random(in: 1...3, using: &random) : 1
          for _ in 0..<times { way.lead(from: node, to: nodes[Int.random(in: 0..<count, using: &random)]) }
        }
      }
      let expected = Self.order(from: nodes[0])
      let links = Dictionary(uniqueKeysWithValues: expected.map { ($0, Self.targets(of: nodes[$0])) })
      let realm = try Realm(configuration: Self.configuration())
      try realm.write { realm.add(nodes[0]) }
      #expect(realm.objects(Node.self).map(\.id) == expected, "seed \(seed)")
      for node in realm.objects(Node.self) {
        #expect(Self.targets(of: node) == links[node.id], "seed \(seed), node \(node.id)")
      }
    }
  }

  private static func targets(of node: Node) -> [Int] {
    var targets: [Int] = []
    if let next = node.next { targets.append(next.id) }
    if let next = node.box?.node { targets.append(next.id) }
    targets += node.list.map(\.id)
    targets += node.set.map(\.id)
    if let object = node.mixed.object(Node.self) { targets.append(object.id) }
    targets += node.mixedList.compactMap { $0.object(Node.self)?.id }
    return targets
  }

  private static func order(from node: Node) -> [Int] {
    var order: [Int] = []
    var known: Set<Int> = []
    func visit(_ node: Node) {
      if !known.insert(node.id).inserted { return }
      order.append(node.id)
      // Links, with those of embedded objects, come before collections and mixed values.
      if let next = node.next { visit(next) }
      if let next = node.box?.node { visit(next) }
      node.list.forEach(visit)
      node.set.forEach(visit)
      if let object = node.mixed.object(Node.self) { visit(object) }
      for value in node.mixedList { if let object = value.object(Node.self) { visit(object) } }
    }
    visit(node)
    return order
  }

  /// Two objects of one key in a cycle: the one that was met first has the last word, and leaves no trace of the other's.
  @Test func twoObjectsOfOneKey() throws {
    try onOwnThread {
      let realm = try Realm(configuration: Self.configuration())
      let (first, second, other, last) = (Node(id: 1), Node(id: 1), Node(id: 2), Node(id: 3))
      first.next = other
      other.next = second
      second.next = last
      try realm.write { realm.add(first, update: .modified) }
      #expect(realm.objects(Node.self).map(\.id) == [1, 2, 3])
      #expect(first.next?.id == 2)
      // If the row were still known as one that links to it, this would clear the link.
      try realm.write { realm.delete(last) }
      #expect(first.next?.id == 2)
    }
  }
}
