/// Persons in ordinary collections, with what a program keeps up to date by hand.
struct PlainGraph {
  /// In order of insertion.
  private(set) var all: [PlainPerson] = []
  private(set) var byID: [Int: PlainPerson] = [:]
  private(set) var byCity: [String: Set<PlainPerson>] = [:]
  var observers = PlainObservers()

  mutating func reserveCapacity(_ count: Int) {
    all.reserveCapacity(count)
    byID.reserveCapacity(count)
  }

  mutating func add(_ person: PlainPerson) {
    person.position = all.count
    all.append(person)
    byID[person.id] = person
    byCity[person.city, default: []].insert(person)
    observers.personChanged(person)
  }

  mutating func setAge(of person: PlainPerson, to age: Int) {
    person.age = age
    observers.personChanged(person)
  }

  mutating func setCity(of person: PlainPerson, to city: String) {
    let oldCity = person.city
    byCity[oldCity]?.remove(person)
    person.city = city
    byCity[city, default: []].insert(person)
    observers.personMoved(person, from: oldCity)
  }

  /// Deletes the inactive persons and the links to them.
  mutating func deleteInactive() {
    for person in all where !person.active {
      byID[person.id] = nil
      byCity[person.city]?.remove(person)
      person.best = nil
    }
    all.removeAll { !$0.active }
    for (position, person) in all.enumerated() {
      person.position = position
      if let best = person.best, !best.active { person.best = nil }
    }
  }

  /// A graph of its own that no later write changes.
  func copy() -> PlainGraph {
    let copies = all.map(PlainPerson.init(copying:))
    for (person, copy) in zip(all, copies) {
      copy.best = person.best.map { copies[$0.position] }
    }
    var graph = PlainGraph()
    graph.all = copies
    graph.byID = byID.mapValues { copies[$0.position] }
    graph.byCity = byCity.mapValues { persons in
      var inhabitants = Set<PlainPerson>(minimumCapacity: persons.count)
      for person in persons { inhabitants.insert(copies[person.position]) }
      return inhabitants
    }
    return graph
  }

  /// Links may form cycles, which would keep the persons for ever.
  func cutLinks() {
    for person in all { person.best = nil }
  }
}
