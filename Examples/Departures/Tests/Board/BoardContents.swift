import DepartureBoard
import Firn

extension BoardStore {
  /// All that a replay writes, as text.
  var contents: [String] {
    let realm = store.freeze().realm
    func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "-" }
    return realm.objects(Flight.self).sorted(by: \.id).map {
      "\($0.route) \($0.status) \(text($0.delay)) \($0.isOnBoard) \($0.newsTime) \(text($0.plane?.tailNumber))"
    }
      + realm.objects(Airline.self).sorted(by: \.code).map { "\($0.code) \($0.departureCount) \($0.delayMinutes)" }
      + realm.objects(Airport.self).sorted(by: \.code).map {
        "\($0.code) \($0.city) \(text($0.location?.type)) \(text($0.location.map { Array($0.coordinates) }))"
      }
      + realm.objects(Weather.self).sorted(by: \.airport).map {
        "\($0.airport) \(text($0.temperature)) \(text($0.time))"
      }
      + realm.objects(Board.self).map { "\($0.clock) \($0.stepCount) \($0.isDayOver) \($0.planVersion)" }
  }
}
