import AccessorPathAPI

final class Person: Object {
  @Persisted var id: Int = expensive()
  @Persisted var name: String
  @Persisted var age: Int = 30
  @Persisted var score: Double = 1.5
  @Persisted var city: String = "nowhere"
  @Persisted var active: Bool
  @Persisted var opt: Int?
  @Persisted var best: Person?
}
/// Makes another object inside its initialiser, before the base class's runs.
final class Outer: Object {
  var helper = Person()
  @Persisted var age: Int = 3
}
nonisolated(unsafe) var evaluated = 0
@inline(never) func expensive() -> Int {
  evaluated += 1
  return 7
}

final class Plain {
  var id: Int, name: String, age: Int, score: Double, city: String, active: Bool, opt: Int?, best: Plain?
  init(_ i: Int) {
    id = i
    name = "name\(i)"
    age = i % 100
    score = Double(i) / 2
    city = "a longer city name \(i)"
    active = true
    opt = i
    best = nil
  }
}
