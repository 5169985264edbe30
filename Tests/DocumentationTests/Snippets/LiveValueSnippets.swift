import Firn

/// The code in comments on live values and groups.
private enum LiveValues {
  enum Status: String, PersistableEnum {
    case boarding, departed
  }

  class Flight: Object {
    @Persisted var status: Status
    @Persisted var gate: String
    @Persisted var delay: Int
  }

  static func observe(_ flights: Results<Flight>) -> NotificationToken {
    let late = flights.where { $0.delay > 30 }
    let worst = late.liveValue { ($0.count, $0.max(of: \.delay)) }
    let token = worst.observe { count, delay in print(count, delay ?? 0) }
    return token
  }

  static func values(_ flights: Results<Flight>) -> (LiveValue<Int>, LiveValue<(Double?, Int?)>) {
    let count = flights.liveValue { $0.count }
    let delays = flights.liveValue { ($0.average(of: \.delay), $0.max(of: \.delay)) }
    return (count, delays)
  }

  static func list(_ flights: Results<Flight>) {
    let byStatus = flights.grouped(by: \.status) { ($0.average(of: \.delay), $0.max(of: \.delay)) }
    for group in byStatus {
      print(group.key, group.count, group.values.0 ?? 0)
    }
  }

  static func count(_ flights: Results<Flight>) -> Int {
    let perGate = flights.grouped(by: \.status, \.gate)
    let boarding = perGate.group(for: (.boarding, "B7"))?.count ?? 0
    return boarding
  }

  static func group(_ flights: Results<Flight>) -> LiveGroups<Status, (Double?, Int?)> {
    let perStatus = flights.grouped(by: \.status) { ($0.average(of: \.delay), $0.max(of: \.delay)) }
    return perStatus
  }
}
