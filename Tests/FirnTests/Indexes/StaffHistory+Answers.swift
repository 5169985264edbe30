import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

extension StaffHistory {
  /// Whether some queries find what the model holds.
  func answer(_ step: String) -> Bool { answer(step, workers) }

  func answer(_ step: String, _ workers: Results<Staff.Worker>) -> Bool {
    random.chance(60) ? answerOnValues(step, workers) : answerOnPlaces(step, workers)
  }

  private func boss(of worker: StaffModel.Worker?) -> StaffModel.Boss? { worker?.boss.flatMap { model.boss($0) } }
  private func friend(of worker: StaffModel.Worker) -> StaffModel.Worker? { model.worker(worker.friend) }
  private func ids(_ matches: (StaffModel.Worker) -> Bool) -> [Int] { model.workers.filter(matches).map(\.id) }

  private func check(_ name: String, _ found: Results<Staff.Worker>, _ expected: [Int]) -> Bool {
    // Single rows come from indexes as long as not all are known.
    let isCounted = random.chance(50) ? found.count == expected.count : true
    let place = expected.isEmpty || random.chance(50) ? nil : random.below(expected.count)
    let isPlaced = place.map { $0 < found.count && found[$0].id == expected[$0] } ?? true
    let shown = Array(found).map(\.id)
    let isRight =
      isCounted && isPlaced && shown == expected && found.first?.id == expected.first
      && found.last?.id == expected.last
    if !isRight {
      Issue.record("\(name) gave \(shown.prefix(20)) instead of \(expected.prefix(20)), \(found.explain())")
    }
    return isRight
  }

  private func answerOnValues(_ step: String, _ workers: Results<Staff.Worker>) -> Bool {
    let (value, other, text) = (random.below(spread), random.below(spread), name())
    var isRight = true
    func check(_ name: String, _ found: Results<Staff.Worker>, _ expected: [Int]) {
      isRight = self.check("\(step): \(name)", found, expected) && isRight
    }
    func boss(_ worker: StaffModel.Worker?) -> StaffModel.Boss? { self.boss(of: worker) }
    func key(_ worker: StaffModel.Worker) -> SortedValue { boss(worker).map { SortedValue($0.number) } ?? .missing }
    switch random.below(8) {
    case 0:
      // Nothing begins with no text.
      check("name", workers.filter("name == %@", text), ids { $0.name == text })
      check(
        "prefix", workers.filter("name BEGINSWITH %@", text),
        ids { !text.isEmpty && $0.name.utf8.starts(with: text.utf8) })
    case 1:
      check("level", workers.filter("level > %@", value), ids { $0.level.map { $0 > value } ?? false })
      check("levels below", workers.filter("level < %@", value), ids { $0.level.map { $0 < value } ?? false })
      check("no level", workers.filter("level == nil"), ids { $0.level == nil })
      check(
        "levels", workers.filter("level == %@ AND name >= %@", value, text),
        ids { $0.level == value && SortedValue($0.name) >= SortedValue(text) })
    case 2:
      check("rate", workers.filter("rate <= %@", Double(value)), ids { $0.rate <= Double(value) })
      check("rates", workers.filter("rate > %@", Double(value)), ids { $0.rate > Double(value) })
      check("sorted rates", workers.sorted(byKeyPath: "rate"), model.sorted { [SortedValue($0.rate)] })
      check(
        "rates back", workers.sorted(byKeyPath: "rate", ascending: false),
        model.sorted(ascending: false) { [SortedValue($0.rate)] })
    case 3:
      check(
        "sorted levels", workers.sorted(by: [SortDescriptor(keyPath: "level"), SortDescriptor(keyPath: "name")]),
        model.sorted { [SortedValue($0.level), SortedValue($0.name)] })
      check(
        "levels back",
        workers.sorted(by: [
          SortDescriptor(keyPath: "level", ascending: false), SortDescriptor(keyPath: "name", ascending: false),
        ]), model.sorted(ascending: false) { [SortedValue($0.level), SortedValue($0.name)] })
    case 4:
      check("boss", workers.filter("boss.number == %@", value), ids { boss($0)?.number == value })
      check(
        "bosses", workers.filter("boss.number < %@ AND name == %@", value, text),
        ids { (boss($0)?.number).map { $0 < value } ?? false && $0.name == text })
      check(
        "sorted bosses", workers.sorted(by: [SortDescriptor(keyPath: "boss.number"), SortDescriptor(keyPath: "name")]),
        model.sorted { [key($0), SortedValue($0.name)] })
    case 5:
      let code = model.workers.isEmpty ? "" : model.workers[random.below(model.workers.count)].code ?? ""
      // Nil is the least of texts.
      check(
        "codes up to", workers.filter("code <= %@", code),
        ids { $0.code.map { SortedValue($0) <= SortedValue(code) } ?? true })
      check("code", workers.filter("code == %@", code), ids { $0.code == code })
      check(
        "codes", workers.filter("code > %@", code), ids { $0.code.map { SortedValue($0) > SortedValue(code) } ?? false }
      )
    case 6:
      check(
        "friend's boss", workers.filter("friend.boss.number == %@", value),
        ids { boss(friend(of: $0))?.number == value })
      check(
        "either", workers.filter("friend.boss.number == %@ OR level == %@", value, other),
        ids { boss(friend(of: $0))?.number == value || $0.level == other })
      check(
        "between",
        workers.filter(
          "friend.boss.number == %@ AND level BETWEEN {%@, %@}", value, min(value, other), max(value, other)),
        ids {
          boss(friend(of: $0))?.number == value
            && $0.level.map { (min(value, other)...max(value, other)).contains($0) } ?? false
        })
    default:
      let least = workers.min(ofProperty: "level") as Int?
      let most = workers.filter("level == %@", value).max(ofProperty: "rate") as Double?
      let rates = model.workers.filter { $0.level == value }.map(\.rate).filter { !$0.isNaN }
      let lowest = workers.min(ofProperty: "rate") as Double?
      let lowestRate = model.workers.map(\.rate).filter { !$0.isNaN }.min()
      if least != model.workers.compactMap(\.level).min() || most != rates.max() || lowest != lowestRate {
        isRight = false
        Issue.record("\(step): least \(String(describing: least)), most \(String(describing: most))")
      }
    }
    return isRight
  }

  private func answerOnPlaces(_ step: String, _ workers: Results<Staff.Worker>) -> Bool {
    let (value, circle, box) = (random.below(spread), random.circle(), random.box())
    func holds(_ place: StaffModel.Place?, _ shape: any GeoShape) -> Bool {
      guard let point = place?.point, let region = try? shape.region() else { return false }
      return region.contains(point)
    }
    var isRight = true
    func check(_ name: String, _ found: Results<Staff.Worker>, _ expected: [Int]) {
      isRight = self.check("\(step): \(name)", found, expected) && isRight
    }
    switch random.below(4) {
    case 0:
      check(
        "circle and level", workers.filter("location IN %@ AND level != %@", circle, value),
        ids { holds($0.place, circle) && $0.level != value })
      check("circle", workers.filter("location IN %@", circle), ids { holds($0.place, circle) })
      check("not", workers.filter("NOT location IN %@", box), ids { !holds($0.place, box) })
    case 1:
      check("boss's place", workers.filter("boss.place IN %@", circle), ids { holds(boss(of: $0)?.place, circle) })
      check(
        "and", workers.filter("boss.place IN %@ AND level == %@", box, value),
        ids { holds(boss(of: $0)?.place, box) && $0.level == value })
    case 2:
      check(
        "friend's place", workers.filter("friend.location IN %@", circle), ids { holds(friend(of: $0)?.place, circle) })
      check(
        "or", workers.filter("friend.location IN %@ OR location IN %@", box, circle),
        ids { holds(friend(of: $0)?.place, box) || holds($0.place, circle) })
    default:
      let (latitude, longitude) = random.location()
      let point = GeoPoint(latitude: latitude, longitude: longitude)!
      let found = workers.nearest(to: point, by: \.location).map { $0.object.id }
      let expected = model.workers.enumerated().compactMap { place, worker in
        worker.place?.point.map { (point.spherePoint.angle(to: $0), place, worker.id) }
      }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
      if found != expected {
        isRight = false
        Issue.record("\(step): nearest \(found.prefix(20)) instead of \(expected.prefix(20))")
      }
    }
    return isRight
  }
}
