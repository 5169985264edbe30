import FirnEngine
import Foundation
import TestSupport

@testable import Firn

/// Sites in areas: regions behind links, lists and backlinks.
enum Regional {
  class Site: Object {
    @Persisted(primaryKey: true) var id: Int
    /// Another one for each object that there ever was.
    @Persisted var serial: Int
    @Persisted var kind: Int
    @Persisted var location: Placed.Location?
    @Persisted var area: Area?

    override class func indexes() -> [Index] { [.geo(\Site.location), .geo(\Site.area?.main?.location)] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Area: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var serial: Int
    @Persisted var main: Site?
    @Persisted var stops: List<Placed.Location>
    @Persisted var members: List<Site>
    @Persisted(originProperty: "area") var sites: LinkingObjects<Site>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static let types: [ObjectBase.Type] = [Site.self, Area.self, Placed.Location.self]

  /// What an object itself holds.
  static func content(_ object: Object) -> String {
    func text(_ location: Placed.Location) -> String {
      "\(location.type) \(location.note) \(Array(location.coordinates))"
    }
    switch object {
    case let site as Site:
      return "\(site.kind) \(site.area?.serial ?? -1) \(site.location.map(text) ?? "")"
    case let area as Area:
      return "\(area.main?.serial ?? -1) \(Array(area.stops).map(text)) \(Array(area.members.map(\.serial)))"
    default: return ""
    }
  }

  static func serial(_ object: Object) -> Int { (object as? Site)?.serial ?? (object as? Area)?.serial ?? -1 }

  /// The objects that links lead to from one, and itself.
  static func reached(from object: Object) -> Set<Int> {
    var found: Set<Int> = []
    var open = [object]
    while let next = open.popLast() {
      if !found.insert(serial(next)).inserted { continue }
      if let site = next as? Site, let area = site.area { open.append(area) }
      if let area = next as? Area { open += Array(area.members) + (area.main.map { [$0] } ?? []) }
    }
    return found
  }
}

/// A condition with up to two regions, as text and as code.
struct RegionalCondition {
  let text: String
  let regions: [any GeoShape]
  let isOfSites: Bool
  private let number: Int
  private let kind: Int

  private static let ofSites = [
    "location IN %@", "NOT NOT location IN %@", "area.main.location IN %@", "ANY area.stops IN %@",
    "NOT (location IN %@ AND NOT area.main.location IN %@)", "(location IN %@ OR kind == $K) AND NOT location IN %@",
    "ANY area.members.location IN %@", "NOT ANY area.stops IN %@ AND location IN %@",
    "location IN %@ AND location IN %@ AND kind < $K",
  ]
  private static let ofAreas = [
    "main.location IN %@", "ANY stops IN %@", "ANY members.location IN %@", "ANY sites.location IN %@",
    "NOT ANY sites.location IN %@", "ANY stops IN %@ AND NOT ANY members.location IN %@",
    "NOT (ANY sites.location IN %@ OR main.location IN %@)", "ANY stops IN %@ OR ANY sites.location IN %@",
    "ANY members.area.stops IN %@", "ANY sites.area.main.location IN %@",
  ]

  init(_ random: inout SeededRandom) {
    number = random.below(Self.ofSites.count + Self.ofAreas.count)
    isOfSites = number < Self.ofSites.count
    kind = random.below(4)
    regions = (0..<2).map { _ in Self.region(&random) }
    text = (Self.ofSites + Self.ofAreas)[number].replacingOccurrences(of: "$K", with: "\(kind)")
  }

  var arguments: [any GeoShape] { Array(regions.prefix(text.components(separatedBy: "%@").count - 1)) }

  private static func region(_ random: inout SeededRandom) -> any GeoShape {
    switch random.below(10) {
    case 0..<4: return random.circle()
    case 4..<6: return random.box()
    case 6:
      // Everything, nothing but a point, half.
      return GeoCircle(center: random.location(), radiusInRadians: [.infinity, 0, .pi / 2, .pi][random.below(4)])!
    case 7:
      // Around a pole.
      let side = random.chance(50) ? 1.0 : -1
      let latitude = side * [60, 87, 89.999][random.below(3)]
      return GeoPolygon(outerRing: [-180, -90, 0, 90, -180].map { (latitude, $0) })!
    case 8:
      return GeoBox(bottomLeft: (-30, 170), topRight: (30, -170))!
    default:
      let (latitude, longitude) = random.location()
      let (low, left) = (min(latitude, 80), max(-170, min(longitude, 160)))
      let hole = [(low + 1, left + 1), (low + 1, left + 5), (low + 4, left + 1), (low + 1, left + 1)]
      return GeoPolygon(
        outerRing: [(low, left), (low, left + 15), (low + 9, left + 12), (low + 8, left), (low, left)], holes: [hole])!
    }
  }

  func holds(_ object: Object) -> Bool {
    if let site = object as? Regional.Site { return holds(site) }
    return (object as? Regional.Area).map(holds) ?? false
  }

  private func isIn(_ number: Int, _ location: Placed.Location?) -> Bool {
    guard let location, location.type.lowercased() == "point", location.coordinates.count > 1,
      let point = SpherePoint(checkedLatitude: location.coordinates[1], longitude: location.coordinates[0])
    else { return false }
    return try! regions[number].region().contains(point)
  }

  private func holds(_ site: Regional.Site) -> Bool {
    let here = isIn(0, site.location)
    let stops = site.area?.stops.contains { isIn(0, $0) } ?? false
    switch number {
    case 0, 1: return here
    case 2: return isIn(0, site.area?.main?.location)
    case 3: return stops
    case 4: return !(here && !isIn(1, site.area?.main?.location))
    case 5: return (here || site.kind == kind) && !isIn(1, site.location)
    case 6: return site.area?.members.contains { isIn(0, $0.location) } ?? false
    case 7: return !stops && isIn(1, site.location)
    default: return here && isIn(1, site.location) && site.kind < kind
    }
  }

  private func holds(_ area: Regional.Area) -> Bool {
    let stops = area.stops.contains { isIn(0, $0) }
    let sites = area.sites.contains { isIn(0, $0.location) }
    switch number - Self.ofSites.count {
    case 0: return isIn(0, area.main?.location)
    case 1: return stops
    case 2: return area.members.contains { isIn(0, $0.location) }
    case 3: return sites
    case 4: return !sites
    case 5: return stops && !area.members.contains { isIn(1, $0.location) }
    case 6: return !(sites || isIn(1, area.main?.location))
    case 7: return stops || area.sites.contains { isIn(1, $0.location) }
    case 8: return area.members.contains { $0.area?.stops.contains { isIn(0, $0) } ?? false }
    default: return !area.sites.isEmpty && isIn(0, area.main?.location)
    }
  }
}
