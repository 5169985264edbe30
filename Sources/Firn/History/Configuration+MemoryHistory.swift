internal import FirnDurability
internal import FirnEngine

extension Realm.Configuration {
  /// What keeps the commits of a database in memory; nil where no history is asked for.
  func memoryHistory(_ schema: StoreSchema) throws -> (log: MemoryHistory, tables: [TableDescription])? {
    if history.byteCount <= 0 { return nil }
    do {
      let shape = try MemoryHistory.shape(of: schema.tables)
      let log = MemoryHistory(
        map: shape.map, byteCountMax: history.byteCount, nanosecondsMax: history.age.map(\.nanoseconds))
      return (log, shape.schema)
    } catch {
      throw Realm.Error.wrapping(error)
    }
  }
}
