import CBench

/// What the persons come to when the values of each property lie side by side: what there is to store.
struct RawColumns {
  private var columns: [[UInt8]] = []
  private let objectCount: Int

  init(_ dataset: Dataset) {
    objectCount = dataset.count
    let positions = 0..<dataset.count
    append(positions.map { $0 })
    columns.append(positions.map { UInt8(dataset.nameByteCount(at: $0)) })
    columns.append(dataset.nameBytes)
    append(dataset.ages)
    append(dataset.scores)
    append(dataset.cityIndexes.map { UInt16($0) })
    columns.append(dataset.cities.flatMap { [UInt8]($0.utf8) + [0] })
    append(positions.map(dataset.created(at:)))
    columns.append(dataset.actives.map { $0 ? 1 : 0 })
    append(dataset.bests)
  }

  private mutating func append<Value: BitwiseCopyable>(_ values: [Value]) {
    columns.append(values.withUnsafeBytes { [UInt8]($0) })
  }

  var byteCount: Int { columns.reduce(0) { $0 + $1.count } }

  /// Room for the longest column, compressed.
  func room() -> [UInt8] {
    [UInt8](repeating: 0, count: cbench_compressed_byte_count_max(columns.map(\.count).max() ?? 0))
  }

  /// Compresses each column with zstd at level 1, on this thread, and returns the sum of bytes.
  func compress(into room: inout [UInt8]) throws -> Int {
    var sum = 0
    for column in columns {
      let byteCount = cbench_compress(&room, room.count, column, column.count)
      guard byteCount > 0 else { throw WrongAnswer(description: "zstd could not compress a column") }
      sum += byteCount
    }
    return sum
  }
}
