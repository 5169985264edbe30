/// A distance on the surface of the globe, whose radius counts as 6378.1 kilometres.
public final class Distance: Sendable, Equatable {
  /// The angle at the centre of the globe.
  public let radians: Double

  private static let earthRadiusInKilometers = 6378.1
  private static let kilometersPerMile = 1.609344

  private init?(_ radians: Double) {
    // NaN is not, either.
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// A distance in kilometres; nil when it is NaN or negative.
  public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers / earthRadiusInKilometers) }

  /// A distance in miles; nil when it is NaN or negative.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(miles * kilometersPerMile / earthRadiusInKilometers)
  }

  /// A distance as an angle in degrees; nil when it is NaN or negative.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

  /// A distance as an angle; nil when it is NaN or negative.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

  /// The distance in kilometres.
  public func asKilometers() -> Double { radians * Self.earthRadiusInKilometers }

  /// The distance in miles.
  public func asMiles() -> Double { radians * Self.earthRadiusInKilometers / Self.kilometersPerMile }

  /// The distance as an angle in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }

  /// Whether the distances are equal.
  public static func == (left: Distance, right: Distance) -> Bool { left.radians == right.radians }
}
