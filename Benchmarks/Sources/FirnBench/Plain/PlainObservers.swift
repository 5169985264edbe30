/// The observers that a write has to ask, sorted by what can affect them.
struct PlainObservers {
  /// Asked about every change of a person.
  private var general: [PlainObserver] = []
  /// Asked only about persons in one city.
  private var byCity: [String: PlainObserver] = [:]
  private var waiting: [PlainObserver] = []
  /// Those that are told positions.
  var ofPlaces: PlainPlaceObservers?

  mutating func add(_ observer: PlainObserver) {
    general.append(observer)
  }

  mutating func add(_ observer: PlainObserver, ofCity city: String) {
    byCity[city] = observer
  }

  mutating func removeAll() {
    self = PlainObservers()
  }

  @inline(__always)
  mutating func personChanged(_ person: PlainPerson) {
    ofPlaces?.personChanged(person)
    note(person)
  }

  @inline(__always)
  mutating func personMoved(_ person: PlainPerson, from oldCity: String) {
    ofPlaces?.personMoved(person, from: oldCity)
    if !byCity.isEmpty, let observer = byCity[oldCity], observer.personChanged(person) { waiting.append(observer) }
    note(person)
  }

  @inline(__always)
  private mutating func note(_ person: PlainPerson) {
    for observer in general where observer.personChanged(person) { waiting.append(observer) }
    if !byCity.isEmpty, let observer = byCity[person.city], observer.personChanged(person) { waiting.append(observer) }
  }

  @inline(__always)
  mutating func deliver() {
    ofPlaces?.deliver()
    guard !waiting.isEmpty else { return }
    for observer in waiting { observer.deliver() }
    waiting.removeAll(keepingCapacity: true)
  }
}
