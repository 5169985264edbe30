import Dispatch
import Firn
import Foundation

private let shortText = ("twelve bytes", "twelve Bytes")
private let longText = ("more than fifteen bytes", "more than fifteen Bytes")
private let uuids = (
  UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!, UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
)
private let dates = (Date(timeIntervalSince1970: 1_795_000_000.5), Date(timeIntervalSince1970: 1_795_000_001.5))
private let data = (Data(repeating: 1, count: 40), Data(repeating: 2, count: 40))
private let objectIDs = (ObjectId("507f1f77bcf86cd799439011"), ObjectId("507f1f77bcf86cd799439012"))
private let decimals: (Decimal128, Decimal128) = (12.5, 13.5)

extension Loop {
  static var reads: [Loop] {
    [
      read("5a", "an Int", (1, 2), { $0.int = $1 }, { $0.int }),
      readFrozen,
      readOnQueue,
      readAway,
      read("", "an Int?", (1, nil), { $0.optional = $1 }, { $0.optional }),
      read("", "a Bool", (true, false), { $0.bool = $1 }, { $0.bool }),
      read("", "a Double", (1.5, 2.5), { $0.double = $1 }, { $0.double }),
      read("5c", "a short String", shortText, { $0.string = $1 }, { $0.string }),
      read("5c", "a long String", longText, { $0.string = $1 }, { $0.string }),
      read("", "a Date", dates, { $0.date = $1 }, { $0.date }),
      read("", "a Data", data, { $0.data = $1 }, { $0.data }),
      read("", "a UUID", uuids, { $0.uuid = $1 }, { $0.uuid }),
      read("", "an ObjectId", objectIDs, { $0.objectId = $1 }, { $0.objectId }),
      read("", "a Decimal128", decimals, { $0.decimal = $1 }, { $0.decimal }),
      read("", "an enumeration", (.green, .blue), { $0.colour = $1 }, { $0.colour }),
      read("", "an AnyRealmValue", (.int(1), .string("two")), { $0.any = $1 }, { $0.any }),
    ]
  }

  static var writes: [Loop] {
    [
      write("5b", "an Int", (1, 2)) { $0.int = $1 },
      write("", "an Int?", (1, nil)) { $0.optional = $1 },
      write("", "a Double", (1.5, 2.5)) { $0.double = $1 },
      write("", "a short String", shortText) { $0.string = $1 },
      write("", "a long String", longText) { $0.string = $1 },
      write("", "an indexed String", shortText) { $0.indexed = $1 },
      write("", "a Date", dates) { $0.date = $1 },
      write("", "a Data", data) { $0.data = $1 },
      write("", "a UUID", uuids) { $0.uuid = $1 },
      write("", "an ObjectId", objectIDs) { $0.objectId = $1 },
      write("", "a Decimal128", decimals) { $0.decimal = $1 },
      write("", "an enumeration", (.green, .blue)) { $0.colour = $1 },
      write("", "an AnyRealmValue", (.int(1), .string("two"))) { $0.any = $1 },
    ]
  }

  /// The first of the values is there.
  @inline(__always)
  private static func read<Value>(
    _ row: String, _ kind: String, _ values: (Value, Value), _ assign: @escaping (Kinds, Value) -> Void,
    _ read: @escaping (Kinds) -> Value
  ) -> Loop {
    Loop(row, "read \(kind)", turns: 100_000) {
      let fixture = try KindsFixture()
      let kinds = fixture.kinds
      try fixture.realm.write { assign(kinds, values.0) }
      return { turnCount in
        for _ in 0..<turnCount {
          blackHole(read(kinds))
          clobberMemory()
        }
      }
    }
  }

  @inline(__always)
  private static func write<Value>(
    _ row: String, _ kind: String, _ values: (Value, Value), _ assign: @escaping (Kinds, Value) -> Void
  ) -> Loop {
    Loop(row, "write \(kind)", turns: 50_000) {
      let fixture = try KindsFixture()
      let kinds = fixture.kinds
      return { turnCount in
        try fixture.realm.write {
          for turn in 0..<turnCount {
            assign(kinds, turn & 1 == 0 ? values.0 : values.1)
            clobberMemory()
          }
        }
      }
    }
  }

  private static func readInts(of kinds: Kinds, _ turnCount: Int) {
    for _ in 0..<turnCount {
      blackHole(kinds.int)
      clobberMemory()
    }
  }

  private static var readFrozen: Loop {
    Loop("5a", "read an Int, frozen", turns: 100_000) {
      let kinds = try KindsFixture().kinds.freeze()
      return { readInts(of: kinds, $0) }
    }
  }

  private static var readOnQueue: Loop {
    Loop("5a", "read an Int on a queue", turns: 100_000) {
      let (queue, kinds) = try kindsOnQueue()
      return { turnCount in queue.sync { readInts(of: kinds, turnCount) } }
    }
  }

  private static var readAway: Loop {
    Loop("5a", "read an Int on a foreign thread", turns: 100_000) {
      let (queue, kinds) = try kindsOnQueue()
      return { turnCount in withExtendedLifetime(queue) { readInts(of: kinds, turnCount) } }
    }
  }

  /// An object of a realm that belongs to a queue.
  private static func kindsOnQueue() throws -> (DispatchQueue, Kinds) {
    let fixture = try FirnFixture()
    try fixture.realm.write { fixture.realm.add(Kinds()) }
    let queue = DispatchQueue(label: "counts")
    // Objects are not Sendable. Firn lets other threads read them all the same, which is what is measured.
    nonisolated(unsafe) var found: Kinds?
    try queue.sync {
      found = try Realm(configuration: fixture.configuration, queue: queue).objects(Kinds.self).first
    }
    guard let found else { fatalError("the object is not there") }
    return (queue, found)
  }
}
