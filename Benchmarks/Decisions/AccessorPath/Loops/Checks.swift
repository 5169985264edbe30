import AccessorPathAPI
import Glibc

func check(_ realm: Realm) {
  let before = evaluated
  let p = realm.object(Person.self, 300)
  guard evaluated == before else { fatalError("a default was evaluated") }
  guard p.id == 300, p.age == 0, p.score == 150, p.name == "name300", p.city == "a longer city name 300", p.active,
    p.opt == nil
  else { fatalError("wrong values \(p.id) \(p.age) \(p.score) \(p.name) \(p.city) \(p.active) \(p.opt as Any)") }
  guard realm.object(Person.self, 301).opt == 301 else { fatalError("opt") }
  let u = Person()
  guard u.id == 7, u.name == "", u.age == 30, evaluated == before + 1 else { fatalError("unmanaged") }
  u.age = 5
  guard u.age == 5 else { fatalError("unmanaged write") }

  let outer = realm.object(Outer.self, 400)
  guard outer.age == 0, outer.helper.age == 30, outer.helper.id == 7 else {
    fatalError("nested object lost its defaults")
  }

  // reuse: every way to observe an accessor
  var n = 0
  var first: ObjectIdentifier?
  var same = 0
  for p in realm.objects(Person.self) {
    if n == 0 { first = ObjectIdentifier(p) } else if ObjectIdentifier(p) == first { same += 1 }
    n += 1
    if n == 100 { break }
  }
  print("plain loop reuses:", same, "of 99; live", realm.liveCount)
  var kept: [Person] = []
  for p in realm.objects(Person.self) {
    kept.append(p)
    if kept.count == 100 { break }
  }
  guard kept.enumerated().allSatisfy({ $1.id == $0 }) else {
    print(kept.map(\.id), Set(kept.map { ObjectIdentifier($0) }).count, realm.liveCount, realm._words)
    fatalError("escaped")
  }
  struct W {
    weak var p: Person?
    unowned var q: Person
    let id: Int
  }
  do {
    weak var w: Person?
    var id = -1
    n = 0
    for p in realm.objects(Person.self) {
      if let w, w.id != id { fatalError("weak reference saw a reused accessor") }
      w = p
      id = p.id
      n += 1
      if n == 50 { break }
    }
  }
  do {
    var last: [Unowned] = []
    n = 0
    for p in realm.objects(Person.self) {
      // an unowned reference keeps the memory, so a fresh accessor has another address
      if let u = last.last, u.address == ObjectIdentifier(p) { fatalError("unowned reference saw a reused accessor") }
      last = [Unowned(p)]
      n += 1
      if n == 50 { break }
    }
  }
  var closures: [() -> Int] = []
  for p in realm.objects(Person.self) {
    closures.append { p.id }
    if closures.count == 50 { break }
  }
  guard closures.enumerated().allSatisfy({ $1() == $0 }) else { fatalError("captured") }
  var threads: [pthread_t] = []
  nonisolated(unsafe) var wrong = 0
  for p in realm.objects(Person.self) {
    nonisolated(unsafe) let p = p
    let id = p.id
    var t = pthread_t()
    pthread_create(
      &t, nil,
      {
        Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().f()
        return nil
      },
      Unmanaged.passRetained(
        Box {
          usleep(200)
          if p.id != id { wrong += 1 }
        }
      ).toOpaque())
    threads.append(t)
    if threads.count == 50 { break }
  }
  for t in threads { pthread_join(t, nil) }
  guard wrong == 0 else { fatalError("another thread saw a reused accessor") }
  var it = realm.objects(Person.self).makeIterator()
  let a = it.next()!
  var it2 = it
  let b = it.next()!
  let c = it2.next()!
  guard a.id == 0, b.id == 1, c.id == 1, b !== c || true else { fatalError("copied iterator") }
  let d = it2.next()!
  guard d.id == 2, b.id == 1 else { fatalError("copied iterator") }
}
final class Unowned {
  unowned let p: Person
  let address: ObjectIdentifier
  init(_ p: Person) {
    self.p = p
    address = ObjectIdentifier(p)
  }
}
