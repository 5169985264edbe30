import Firn

extension Realm {
  func fill(with dataset: Dataset) throws {
    try write {
      for index in 0..<dataset.count { add(Person(dataset.record(at: index))) }
    }
    try write {
      for id in 0..<dataset.count { person(withID: id).best = person(withID: dataset.bests[id]) }
    }
  }

  func person(withID id: Int) -> Person {
    guard let person = object(ofType: Person.self, forPrimaryKey: id) else { fatalError("no person \(id)") }
    return person
  }

  func persons(withIDs ids: [Int]) -> [Person] {
    ids.map(person(withID:))
  }
}
