import Firn
import Synchronization

/// Counts what is alive of something.
final class LiveCount: Sendable {
  private let made = Atomic<Int>(0)
  private let gone = Atomic<Int>(0)

  var alive: Int { madeSum - goneSum }
  var madeSum: Int { made.load(ordering: .sequentiallyConsistent) }
  var goneSum: Int { gone.load(ordering: .sequentiallyConsistent) }

  func make() { made.add(1, ordering: .sequentiallyConsistent) }
  func go() { gone.add(1, ordering: .sequentiallyConsistent) }
}

/// A value that holds an object which is counted, so that a leak of the value shows.
struct MakingValue: CustomPersistable, Equatable {
  typealias PersistedType = Int

  private final class Token: Sendable {
    init() { MakingValue.tokens.make() }
    deinit { MakingValue.tokens.go() }
  }

  static let tokens = LiveCount()
  let number: Int
  private let token = Token()

  init(_ number: Int) { self.number = number }
  init(persistedValue: Int) { self.init(persistedValue) }
  var persistableValue: Int { number }
  static func == (left: Self, right: Self) -> Bool { left.number == right.number }
}

private let longText = "an initial value that is too long to be kept in the two words of a text"

/// Nothing but persisted properties, with initial values of every kind.
class MakingPlain: Object {
  static let initialisers = LiveCount()

  @Persisted(primaryKey: true) var id = 7
  @Persisted var text = longText
  @Persisted var maybeText: String? = longText
  @Persisted(indexed: true) var word = "word"
  @Persisted var flag = true
  @Persisted var small: Int8? = 3
  @Persisted var value = MakingValue(1)
  @Persisted var maybeValue: MakingValue? = MakingValue(2)
  @Persisted var numbers: List<Int> = {
    let list = List<Int>()
    list.append(5)
    return list
  }()
  @Persisted var names = MutableSet<String>()
  @Persisted var scores = Map<String, Int>()
  @Persisted var leaf: MakingLeaf? = MakingLeaf()
  @Persisted var home: MakingHome? = MakingHome()
  @Persisted var leaves: List<MakingLeaf>
  @Persisted var anything: AnyRealmValue = .string(longText)
  @Persisted var ignored = longText
  @Persisted var undeclared: String

  override class func ignoredProperties() -> [String] { ["ignored", "undeclared"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  required init() {
    super.init()
    Self.initialisers.make()
    undeclared = "set by the initialiser"
  }

  deinit { Self.initialisers.go() }
}

class MakingLeaf: Object {
  @Persisted var name = longText
  @Persisted var fields: MakingOwnFields?
  @Persisted(originProperty: "leaf") var owners: LinkingObjects<MakingPlain>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class MakingHome: EmbeddedObject {
  @Persisted var street = longText
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same and one more, behind a word that leaves no gap.
final class MakingDerived: MakingPlain {
  @Persisted var bit: Bool
  @Persisted var last = 1.5
}

class MakingGeneric<Value: _Persistable>: Object {
  @Persisted var flag: Bool
  @Persisted var held: Value
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MakingGenericInt: MakingGeneric<Int> {
  @Persisted var own = "own"
}

final class MakingGenericText: MakingGeneric<String?> {
  @Persisted var own = "own"
}

/// Fields of its own, of every kind, so that its accessors need its initialiser.
final class MakingOwnFields: MakingPlain {
  static let holders = LiveCount()

  final class Holder: Sendable {
    init() { MakingOwnFields.holders.make() }
    deinit { MakingOwnFields.holders.go() }
  }

  @Persisted(originProperty: "fields") var leavesOfMine: LinkingObjects<MakingLeaf>
  let constant = Holder()
  var variable = [Holder(), Holder()]
  lazy var computedOnce = Holder()
  weak var observer: Holder?
  unowned(unsafe) var unsafeReference: Holder
  var closure: () -> Int
  var own = longText

  required init() {
    let holder = Holder()
    closure = { [holder] in withExtendedLifetime(holder) { 11 } }
    unsafeReference = constant
    super.init()
  }
}

final class MakingLet: Object {
  let constant = 1
  @Persisted var id: Int
}
final class MakingLazy: Object {
  @Persisted var id: Int
  lazy var once = 1
}
final class MakingWeak: Object {
  @Persisted var id: Int
  weak var other: MakingLeaf?
}
final class MakingClosure: Object {
  @Persisted var id: Int
  var closure: () -> Void = {}
}
final class MakingByte: Object {
  @Persisted var id: Int
  var byte: UInt8 = 1
}
final class MakingNothing: Object {}

/// Reads its properties when it goes.
final class MakingReadsLate: Object {
  static let names = Mutex<[String]>([])

  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var leaf: MakingLeaf?
  @Persisted var leaves: List<MakingLeaf>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  deinit {
    Self.names.withLock { $0.append("\(name) \(leaf?.name.count ?? 0) \(leaves.count)") }
  }
}
