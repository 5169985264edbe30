import Firn
import TestSupport

extension LiveValueHistory {
  func watch() {
    let flights = realm.objects(LiveFlight.self)
    let bound = random.below(6) - 3
    let (start, length) = (random.below(3), random.below(6))
    let kind = random.below(11)
    log.append("watch \(kind)")
    switch kind {
    case 0: watch("all", flights)
    case 1: watch("late", flights.where { $0.delay > bound })
    case 2: watch("dear", flights.where { $0.carrier.fee > Double(bound) })
    case 3: watch("partners", flights.where { $0.carrier.partner.alliance == "Star" || $0.fare < 0 })
    case 4: watch("window", flights.sorted(by: \.delay).limit(length, offset: start))
    case 5: watch("distinct", flights.sorted(by: \.id, ascending: false).distinct(by: [\.gate]))
    case 6: watch("distinct late", flights.distinct(by: [\.delay]).where { $0.delay > bound })
    case 7: watch("NaN", flights.where { $0.fare != .nan })
    default:
      guard let carrier = realm.objects(LiveCarrier.self).first else { return watch("all", flights) }
      switch kind {
      case 8: watch("list", carrier.fleet)
      case 9: watch("set", carrier.favourites.sorted(by: \.id))
      default: watch("links", carrier.flights)
      }
    }
  }

  private func watch<Flights: RealmCollection>(_ name: String, _ flights: Flights) where Flights.Element == LiveFlight {
    let kind = random.below(7)
    let name = "\(name) \(kind)"
    let objects = { flights.isInvalidated ? [] : Array(flights) }
    switch kind {
    case 0:
      let value = flights.liveValue {
        ($0.count, $0.sum(of: \.delay), $0.average(of: \.delay), $0.min(of: \.delay), $0.max(of: \.fare))
      }
      add(name, value) {
        "\($0.0) \($0.1) \(text($0.2)) \(text($0.3.map { Double($0) })) \(text($0.4))"
      } naive: {
        let all = objects()
        let delays = all.compactMap(\.delay).map { Double($0) }
        return
          "\(all.count) \(Int(delays.reduce(0, +))) \(average(delays)) \(least(delays)) \(greatest(all.map(\.fare)))"
      }
    case 1:
      let value = flights.liveValue {
        ($0.sum(of: \.fare), $0.average(of: \.weight), $0.max(of: \.carrier?.fee), $0.sum(of: \.carrier?.partner?.fee))
      }
      add(name, value) {
        "\(text($0.0)) \(text($0.1)) \(text($0.2)) \(text($0.3))"
      } naive: {
        let all = objects()
        let fees = all.compactMap { $0.carrier?.fee }
        return "\(sum(all.map(\.fare))) \(average(all.map { Double($0.weight) })) \(greatest(fees)) "
          + sum(all.compactMap { $0.carrier?.partner?.fee })
      }
    case 2:
      let groups = flights.grouped(by: \.gate) { ($0.sum(of: \.fare), $0.max(of: \.delay)) }
      add(name, groups) {
        "\($0.key) \($0.count) \(text($0.values.0)) \(text($0.values.1.map { Double($0) }))"
      } naive: {
        lines(objects(), by: { [.text($0.gate)] }) { key, all in
          "\(key.text) \(all.count) \(sum(all.map(\.fare))) \(greatest(all.compactMap(\.delay).map { Double($0) }))"
        }
      }
    case 3:
      let groups = flights.grouped(by: \.carrier?.alliance, \.delay)
      add(name, groups) {
        "\($0.key.0 ?? "-") \(text($0.key.1.map { Double($0) })) \($0.count)"
      } naive: {
        lines(objects(), by: { [Part($0.carrier?.alliance), Part($0.delay)] }) { key, all in "\(key.text) \(all.count)"
        }
      }
    case 4:
      let groups = flights.grouped(by: \.carrier?.partner?.alliance) {
        ($0.min(of: \.note), $0.max(of: \.note), $0.sum(of: \.price))
      }
      add(name, groups, tellsKinds: true) {
        "\($0.key ?? "-") \($0.count) \(Part($0.values.0).text) \(Part($0.values.1).text) \($0.values.2)"
      } naive: {
        lines(objects(), by: { [Part($0.carrier?.partner?.alliance)] }) { key, all in
          let notes = all.map { Part($0.note) }.filter { $0 != .none && $0 != .notANumber }
          let prices = all.map { Int($0.price.doubleValue) }.reduce(0, +)
          return "\(key.text) \(all.count) \((notes.min() ?? .none).text) \((notes.max() ?? .none).text) \(prices)"
        }
      }
    case 5:
      let groups = flights.grouped(by: \.note) { $0.sum(of: \.weight) }
      add(name, groups) {
        "\(Part($0.key).text) \($0.count) \(text(Double($0.values)))"
      } naive: {
        lines(objects(), by: { [Part($0.note)] }) { key, all in
          "\(key.text) \(all.count) \(sum(all.map { Double($0.weight) }))"
        }
      }
    default:
      let groups = flights.grouped(by: \.fare, \.carrier?.fee) { $0.min(of: \.weight) }
      add(name, groups) {
        "\(text($0.key.0)) \(text($0.key.1)) \($0.count) \(text($0.values.map { Double($0) }))"
      } naive: {
        lines(objects(), by: { [Part($0.fare), Part($0.carrier?.fee)] }) { key, all in
          "\(key.text) \(all.count) \(least(all.map { Double($0.weight) }))"
        }
      }
    }
  }

  private func add<Value>(
    _ name: String, _ value: LiveValue<Value>, _ line: @escaping (Value) -> String,
    naive: @escaping () -> String
  ) {
    let watcher = LiveWatcher(name, read: { [line(value.value)] }, naive: { [naive()] })
    watcher.token = value.observe { [unowned watcher] in watcher.take(line($0)) }
    watchers.append(watcher)
  }

  private func add<Key, Values>(
    _ name: String, _ groups: LiveGroups<Key, Values>, tellsKinds: Bool = false,
    _ line: @escaping (LiveGroup<Key, Values>) -> String,
    naive: @escaping () -> [String]
  ) {
    let watcher = LiveWatcher(name, read: { groups.map(line) }, naive: naive)
    watcher.tellsKinds = tellsKinds
    watcher.token = groups.observe { [unowned watcher] change in
      switch change {
      case .initial(let groups): watcher.start(groups.map(line))
      case .update(let groups, let deletions, let insertions, let modifications):
        watcher.take(deletions, insertions, modifications) { line(groups[$0]) }
      case .error: break
      }
    }
    watchers.append(watcher)
  }
}

private func lines(
  _ flights: [LiveFlight], by key: (LiveFlight) -> [Part], _ line: ([Part], [LiveFlight]) -> String
) -> [String] {
  Dictionary(grouping: flights, by: key).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(line)
}

private func sum(_ numbers: [Double]) -> String { text(numbers.filter { !$0.isNaN }.reduce(0, +)) }

private func average(_ numbers: [Double]) -> String {
  let numbers = numbers.filter { !$0.isNaN }
  return text(numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count))
}

private func least(_ numbers: [Double]) -> String { text(numbers.filter { !$0.isNaN }.min()) }

private func greatest(_ numbers: [Double]) -> String { text(numbers.filter { !$0.isNaN }.max()) }
