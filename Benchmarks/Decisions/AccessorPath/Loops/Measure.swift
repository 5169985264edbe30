import AccessorPathAPI
import Glibc

func now() -> UInt64 {
  var t = timespec()
  clock_gettime(CLOCK_MONOTONIC, &t)
  return UInt64(t.tv_sec) * 1_000_000_000 + UInt64(t.tv_nsec)
}
@inline(never) func sink<T>(_ x: T) { _ = x }

func measure(_ name: String, _ n: Int, _ target: String = "", _ body: () -> Int) {
  var best = Double.infinity
  var r = 0
  for _ in 0..<9 {
    let t = now()
    r &+= body()
    best = min(best, Double(now() - t) / Double(n))
  }
  sink(r)
  let s = Int(best * 100)
  print("\(name): \(s / 100).\(s / 10 % 10)\(s % 10) ns \(target)")
}

@inline(never) func readAge(_ p: Person) -> Int { p.age }
@inline(never) func readId(_ p: Person) -> Int { p.id }
@inline(never) func readName(_ p: Person) -> String { p.name }
@inline(never) func readCity(_ p: Person) -> String { p.city }
@inline(never) func readScore(_ p: Person) -> Double { p.score }
@inline(never) func readActive(_ p: Person) -> Bool { p.active }
@inline(never) func readOpt(_ p: Person) -> Int? { p.opt }
@inline(never) func writeAge(_ p: Person, _ v: Int) { p.age = v }
@inline(never) func writeId(_ p: Person, _ v: Int) { p.id = v }
@inline(never) func loopAge(_ p: Person, _ n: Int) -> Int {
  var s = 0
  for _ in 0..<n {
    s &+= p.age
    barrier()
  }
  return s
}
@inline(never) func iterateAge(_ r: Results<Person>) -> Int {
  var s = 0
  for p in r { s &+= p.age }
  return s
}
@inline(never) func iterateBest(_ r: Results<Person>) -> Int {
  var s = 0
  for p in r { if let b = p.best { s &+= b.age } }
  return s
}
@inline(never) func iteratePlain(_ r: [Plain]) -> Int {
  var s = 0
  for p in r { s &+= p.age }
  return s
}
@inline(never) func iteratePlainBest(_ r: [Plain]) -> Int {
  var s = 0
  for p in r { if let b = p.best { s &+= b.age } }
  return s
}
@inline(never) func plainAge(_ p: Plain) -> Int { p.age }
@inline(never) func plainName(_ p: Plain) -> String { p.name }
@inline(never) func barrier() {}

final class Box: @unchecked Sendable {
  let f: () -> Void
  init(_ f: @escaping () -> Void) { self.f = f }
}
func onThread(_ f: @escaping () -> Void) {
  var t = pthread_t()
  pthread_create(
    &t, nil,
    {
      Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().f()
      return nil
    }, Unmanaged.passRetained(Box(f)).toOpaque())
  pthread_join(t, nil)
}
