package import DeparturePlan
internal import Firn

/// The part of the globe around an airport that flights have to lead to in order to be shown.
package struct Vicinity: Sendable {
  let circle: GeoCircle
  /// As the board says it: `500 km of ORD`
  package let name: String

  /// Nil for a distance that is none.
  package init?(kilometers: Double, of airport: AirportRecord) {
    guard let center = GeoPoint(latitude: airport.latitude, longitude: airport.longitude),
      let radius = Distance.kilometers(kilometers)
    else { return nil }
    circle = GeoCircle(center: center, radius: radius)
    let number = kilometers == kilometers.rounded() ? String(Int(kilometers)) : String(kilometers)
    name = "\(number) km of \(airport.code)"
  }
}
