import AccessorPathAPI
import Glibc

/// What does the path of a property cost, from a user's module to the leaf, and what an accessor? Three modules, since
/// everything rests on what the optimiser does across their borders: `AccessorPathEngine` holds rows in raw memory,
/// `AccessorPathAPI` the base class, the wrapper and the iterator, this one the models and the loops.
@main enum AccessorPath {
  static func main() {
    var seed: UInt64 = 88_172_645_463_325_252
    func random(_ n: Int) -> Int {
      seed ^= seed << 13
      seed ^= seed >> 7
      seed ^= seed << 17
      return Int(seed >> 11) % n
    }
    let rows = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 1_000_000
    var targets: [Int] = []
    for _ in 0..<rows { targets.append(random(rows)) }
    let realm = Realm(rows: rows) { targets[$0] }
    check(realm)
    let m = min(rows, 2_000_000)
    let p = realm.object(Person.self, 1234)
    let f = realm.freeze()
    let q = f.object(Person.self, 1234)
    let u = Plain(1234)
    for (label, p) in [("home", p), ("frozen", q)] {
      measure("read Int, loop, \(label)", m, "(≤ 3)") { loopAge(p, m) }
      measure("read Int, call, \(label)", m, "(≤ 3)") {
        var s = 0
        for _ in 0..<m { s &+= readAge(p) }
        return s
      }
      measure("read Double, call, \(label)", m) {
        var s = 0.0
        for _ in 0..<m { s += readScore(p) }
        return Int(s)
      }
      measure("read Bool, call, \(label)", m) {
        var s = 0
        for _ in 0..<m { s &+= readActive(p) ? 1 : 0 }
        return s
      }
      measure("read Int?, call, \(label)", m) {
        var s = 0
        for _ in 0..<m { s &+= readOpt(p) ?? 1 }
        return s
      }
      measure("read String 8 B, call, \(label)", m, "(≤ 15)") {
        var s = 0
        for _ in 0..<m { s &+= readName(p).utf8.count }
        return s
      }
      measure("read String 23 B, call, \(label)", m, "(≤ 45)") {
        var s = 0
        for _ in 0..<m { s &+= readCity(p).utf8.count }
        return s
      }
    }
    measure("plain read Int, call", m) {
      var s = 0
      for _ in 0..<m { s &+= plainAge(u) }
      return s
    }
    measure("plain read String, call", m) {
      var s = 0
      for _ in 0..<m { s &+= plainName(u).utf8.count }
      return s
    }
    realm.beginWrite()
    measure("write Int hot, call", m, "(≤ 10)") {
      for i in 0..<m { writeAge(p, i & 63) }
      return p.age
    }
    measure("write Int width 8, call", m, "(≤ 10)") {
      for i in 0..<m { writeId(p, i) }
      return p.id
    }
    p.age = 1234 % 100
    p.id = 1234
    realm.commitWrite()
    measure("create + release, live", m / 10) {
      var s = 0
      for i in 0..<m / 10 { s &+= Int(realm.object(Person.self, i)._slot) }
      return s
    }
    measure("create + release, frozen (no list)", m / 10) {
      var s = 0
      for i in 0..<m / 10 { s &+= Int(f.object(Person.self, i)._slot) }
      return s
    }
    measure("list part alone: register + unregister", m, "(≤ 15)") { listPart(realm, p, m) }
    measure("iterate + Int, reuse", rows, "(≤ 4.5)") { iterateAge(realm.objects(Person.self)) }
    measure("iterate + Int, frozen, reuse", rows, "(≤ 4.5)") { iterateAge(f.objects(Person.self)) }
    measure("iterate + Int, no reuse", rows) { iterateAge(realm.objects(Person.self, reuse: false)) }
    measure("iterate, follow best, Int", rows, "(≤ 20)") { iterateBest(realm.objects(Person.self)) }
    var plain: [Plain] = []
    for i in 0..<rows { plain.append(Plain(i)) }
    for i in 0..<rows { plain[i].best = plain[targets[i]] }
    measure("plain iterate + Int", rows) { iteratePlain(plain) }
    measure("plain iterate best", rows) { iteratePlainBest(plain) }
    foreign(realm, p, m)
    for x in plain { x.best = nil }
    if iterateAge(realm.objects(Person.self)) != iteratePlain(plain) { fatalError("sums differ") }
  }

  static func listPart(_ realm: Realm, _ p: Person, _ n: Int) -> Int { realm._listBenchmark(p, n) }

  static func foreign(_ realm: Realm, _ p: Person, _ m: Int) {
    nonisolated(unsafe) let p = p
    let slot: UInt64 = 88 | 1 << 32 | 1 << 48
    nonisolated(unsafe) let body: () -> Void = {
      measure("foreign read Int through the property (lock)", m, "(≤ 80)") {
        var s = 0
        for _ in 0..<m { s &+= readAge(p) }
        return s
      }
      measure("foreign read Int, lock + walk", m) {
        var s = 0
        for _ in 0..<m { s &+= p._readLocked(slot, as: Int.self) }
        return s
      }
      measure("foreign read Int, hazard line + walk", m, "(≤ 12)") {
        var s = 0
        for _ in 0..<m { s &+= p._readHazard(slot, as: Int.self) }
        return s
      }
      measure("foreign read String 8 B, lock", m) {
        var s = 0
        for _ in 0..<m { s &+= readName(p).utf8.count }
        return s
      }
    }
    onThread(body)
    print("two foreign threads at once:")
    var threads = [pthread_t(), pthread_t()]
    for i in 0..<2 {
      pthread_create(
        &threads[i], nil,
        {
          Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().f()
          return nil
        },
        Unmanaged.passRetained(Box(body)).toOpaque())
    }
    for t in threads { pthread_join(t, nil) }
  }
}
