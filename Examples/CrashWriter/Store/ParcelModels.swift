public import Firn

/// The models that a store of parcels is written with, and those that it is migrated to.
public enum ParcelModels: String, Sendable {
  case first
  /// From the first models: every object changes, and a new base is written.
  case altered
  /// From the first models: what is new is all that is written, behind the journal.
  case extended

  public static let parcelCount = 20_000

  public var schemaVersion: UInt64 { self == .first ? 1 : 2 }

  public static func file(_ folder: URL) -> URL { folder.appendingPathComponent("parcels.firn") }

  /// Nothing is written but what is asked for.
  public func configuration(_ folder: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: Self.file(folder), schemaVersion: schemaVersion, objectTypes: types)
    if self == .altered { configuration.migrationBlock = { migration, _ in Self.alter(migration) } }
    configuration.checkpoints.journalByteCount = 64 << 20
    configuration.checkpoints.interval = nil
    return configuration
  }

  private var types: [ObjectBase.Type] {
    switch self {
    case .first: [FirstParcels.Parcel.self]
    case .altered: [AlteredParcels.Parcel.self]
    case .extended: [ExtendedParcels.Parcel.self, ExtendedParcels.Depot.self]
    }
  }

  /// Adds parcels to a store of the first models.
  public static func fill(_ realm: Realm, _ ids: Range<Int>) {
    var previous = realm.object(ofType: FirstParcels.Parcel.self, forPrimaryKey: ids.lowerBound - 1)
    for id in ids {
      let parcel = FirstParcels.Parcel()
      parcel.id = id
      parcel.weight = id * 7
      parcel.place = "place \(id % 50)"
      parcel.sender = id % 3 == 0 ? nil : "sender \(id)"
      if id % 4 == 0 { parcel.stops.append(objectsIn: [id, id + 1]) }
      if id % 5 != 0 { parcel.previous = previous }
      realm.add(parcel)
      previous = parcel
    }
  }

  private static func alter(_ migration: Migration) {
    migration.enumerateObjects(ofType: "Parcel") { old, new in
      guard let old, let new, let id = old["id"] as? Int, let weight = old["weight"] as? Int,
        let place = old["place"] as? String
      else { fatalError("A parcel lacks what the first models have.") }
      new["id"] = "P\(id)"
      new["weight"] = Double(weight) / 8
      new["place"] = place.uppercased()
      new["sender"] = old["sender"] as? String ?? "nobody"
      let stops: List<Int> = old.dynamicList("stops")
      let names: List<String> = new.dynamicList("stops")
      for stop in stops { names.append("stop \(stop)") }
    }
  }

  // MARK: Contents

  /// What a store has, a line for each parcel in the order in which they were added.
  public func contents(_ realm: Realm) -> [String] {
    switch self {
    case .first:
      realm.objects(FirstParcels.Parcel.self).map { parcel in
        Self.line(
          parcel.id, parcel.weight, parcel.place, parcel.sender ?? "-", Array(parcel.stops), parcel.previous?.id)
      }
    case .altered:
      realm.objects(AlteredParcels.Parcel.self).map { parcel in
        Self.line(parcel.id, parcel.weight, parcel.place, parcel.sender, Array(parcel.stops), parcel.previous?.id)
      }
    case .extended:
      realm.objects(ExtendedParcels.Parcel.self).map { parcel in
        Self.line(
          parcel.id, parcel.weight, parcel.place, parcel.sender ?? "-", Array(parcel.stops), parcel.previous?.id)
          + " \(parcel.note) \(parcel.isInsured) \(parcel.depot == nil)"
      }
    }
  }

  /// What a store has to have.
  public var expectedContents: [String] {
    (0..<Self.parcelCount).map { id in
      let stops = id % 4 == 0 ? [id, id + 1] : []
      let previous = id % 5 == 0 ? nil : id - 1
      let sender = id % 3 == 0 ? nil : "sender \(id)"
      switch self {
      case .first: return Self.line(id, id * 7, "place \(id % 50)", sender ?? "-", stops, previous)
      case .altered:
        return Self.line(
          "P\(id)", Double(id * 7) / 8, "PLACE \(id % 50)", sender ?? "nobody", stops.map { "stop \($0)" },
          previous.map { "P\($0)" })
      case .extended:
        return Self.line(id, id * 7, "place \(id % 50)", sender ?? "-", stops, previous) + " none true true"
      }
    }
  }

  private static func line<ID, Weight, Stop>(
    _ id: ID, _ weight: Weight, _ place: String, _ sender: String, _ stops: [Stop], _ previous: ID?
  ) -> String {
    "\(id) \(weight) \(place) \(sender) \(stops) \(previous.map { "\($0)" } ?? "-")"
  }
}
