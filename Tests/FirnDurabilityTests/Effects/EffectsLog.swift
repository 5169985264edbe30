import FirnDurability
import FirnEngine

/// A log that encodes every commit and keeps the bytes.
final class EffectsLog: CommitLog {
  struct Frame: Sendable {
    var version: UInt64
    var bytes: [UInt8]
    /// The same with the values that were before.
    var bytesWithOldValues: [UInt8]
    /// The next keys after the commit, of tables that it tells of.
    var nextKeys: [Int: UInt64]
  }

  let map: CatalogueMap
  private let frames = Lock([Frame]())

  init(map: CatalogueMap) { self.map = map }

  func append(_ commit: LoggedCommit) throws -> CommitLogAnswer {
    var writer = ByteWriter()
    EffectsEncoder.encode(commit, map: map, into: &writer)
    let bytes = writer.array()
    OldValuesEncoder.encode(commit, map: map, into: &writer)
    var frame = Frame(version: commit.version, bytes: bytes, bytesWithOldValues: writer.array(), nextKeys: [:])
    for index in commit.changes.tables.indices {
      let keys = commit.newKeys(of: TableID(index))
      if !keys.isEmpty || !commit.changes.tables[index].isEmpty { frame.nextKeys[index] = keys.upperBound }
    }
    let result = frame
    frames.withLock { $0.append(result) }
    return .durable
  }

  /// The frames since the last call.
  func take() -> [Frame] {
    frames.withLock { frames in
      let result = frames
      frames = []
      return result
    }
  }
}

/// A difference between two graphs that should be equal.
struct GraphDifference: Error, CustomStringConvertible {
  var description: String
}

/// Throws unless both snapshots have the same rows under the same keys, with the same values and lists. Tables go by name.
func requireEqual(_ left: GraphContents, _ right: GraphContents, _ note: String) throws {
  for table in left.layout.tables where table.isVisible {
    guard let twin = right.layout.tables.first(where: { $0.isVisible && $0.name == table.name }) else {
      throw GraphDifference(description: "\(note): no table \(table.name)")
    }
    let id = TableID(table.index)
    let twinID = TableID(twin.index)
    var keys: [RowKey] = []
    var twinKeys: [RowKey] = []
    left.forEachKey(in: id) { keys.append($0) }
    right.forEachKey(in: twinID) { twinKeys.append($0) }
    if keys != twinKeys {
      throw GraphDifference(description: "\(note): keys of \(table.name): \(keys.count) and \(twinKeys.count)")
    }
    for (index, column) in table.descriptions.enumerated() {
      guard let twinIndex = twin.descriptions.firstIndex(where: { $0.name == column.name }) else {
        throw GraphDifference(description: "\(note): no column \(table.name).\(column.name)")
      }
      for key in keys {
        let values = cell(left, ColumnID(index), column, key, id)
        let twinValues = cell(right, ColumnID(twinIndex), column, key, twinID)
        if values != twinValues {
          throw GraphDifference(
            description: "\(note): \(table.name)/\(key.rawValue).\(column.name): \(values) and \(twinValues)")
        }
      }
    }
  }
}

/// A value, or the elements of a collection, those of a map with their keys before them, so that equal means stored alike.
func cell(
  _ contents: GraphContents, _ column: ColumnID, _ description: ColumnDescription, _ key: RowKey, _ table: TableID
) -> [Value] {
  func stored(_ value: Value) -> Value {
    switch value {
    case .double(let value), .date(let value): .int(Int64(bitPattern: value.bitPattern))
    case .float(let value): .int(Int64(value.bitPattern))
    default: value
    }
  }
  if description.collection == nil { return [stored(contents.value(column, of: key, in: table))] }
  return (0..<contents.listCount(column, of: key, in: table)).flatMap { index in
    let value = stored(contents.listValue(at: index, of: column, of: key, in: table))
    if description.collection != .map { return [value] }
    return [.string(contents.mapKey(at: index, of: column, of: key, in: table)), value]
  }
}
