/// The observers of positions, to whom a person counts as modified, too, when one behind its links was written: what
/// observers of Firn are told.
final class PlainPlaceObservers {
  /// How many links away.
  static let linkMax = 3

  private let persons: [PlainPerson]
  /// The positions of those who link to each person.
  private var linking: [[Int]]
  private var general: [PlainPlaceObserver] = []
  private var byCity: [String: PlainPlaceObserver] = [:]
  private var waiting: [PlainPlaceObserver] = []
  /// Positions of those who changed since the last delivery, and of those who lead to them.
  private var written: [Int] = []
  private var moved: [(position: Int, city: String)] = []

  init(_ persons: [PlainPerson]) {
    self.persons = persons
    linking = Array(repeating: [], count: persons.count)
    for person in persons {
      if let best = person.best { linking[best.position].append(person.position) }
    }
  }

  func add(_ observer: PlainPlaceObserver) { general.append(observer) }

  func add(_ observer: PlainPlaceObserver, ofCity city: String) { byCity[city] = observer }

  func personChanged(_ person: PlainPerson) { written.append(person.position) }

  func personMoved(_ person: PlainPerson, from oldCity: String) {
    written.append(person.position)
    moved.append((person.position, oldCity))
  }

  func deliver() {
    if written.isEmpty { return }
    addLinking()
    for position in written {
      for observer in general { touch(observer, position) }
      if !byCity.isEmpty, let observer = byCity[persons[position].city] { touch(observer, position) }
    }
    for (position, oldCity) in moved {
      if let observer = byCity[oldCity] { touch(observer, position) }
    }
    written.removeAll(keepingCapacity: true)
    moved.removeAll(keepingCapacity: true)
    for observer in waiting { observer.deliver(persons) }
    waiting.removeAll(keepingCapacity: true)
  }

  private func touch(_ observer: PlainPlaceObserver, _ position: Int) {
    if observer.touch(position) { waiting.append(observer) }
  }

  /// Adds those who lead to the written ones, each once.
  private func addLinking() {
    var start = 0
    for _ in 0..<Self.linkMax {
      let end = written.count
      for index in start..<end {
        for source in linking[written[index]] where !written.contains(source) { written.append(source) }
      }
      start = end
    }
  }
}
