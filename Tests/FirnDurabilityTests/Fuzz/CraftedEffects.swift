import FirnDurability
import FirnEngine

/// Effects written by hand.
struct CraftedEffects {
  struct Table {
    var id: UInt64
    var nextKey: UInt64
    /// Rows with the first keys.
    var insertedCount = 0
    /// Number and cells of each column of the inserted rows.
    var columns: [(id: UInt64, cells: [UInt8])] = []
    var groups: [Group] = []
    var deleted: [UInt64] = []
  }

  struct Group {
    var columns: [UInt64]
    var keys: [UInt64]
    var cells: [UInt8]
  }

  static func bytes(_ tables: [Table]) -> [UInt8] {
    var writer = ByteWriter()
    writer.appendVarint(tables.count)
    for table in tables {
      writer.appendVarint(table.id)
      writer.appendVarint(table.nextKey)
      append(keys: (0..<UInt64(table.insertedCount)).map { $0 }, to: &writer)
      writer.appendVarint(table.columns.count)
      for (id, cells) in table.columns {
        writer.appendVarint(id)
        writer.append(cells)
      }
      writer.appendVarint(table.groups.count)
      for group in table.groups {
        writer.appendVarint(group.columns.count)
        for column in group.columns { writer.appendVarint(column) }
        append(keys: group.keys, to: &writer)
        writer.append(group.cells)
      }
      append(keys: table.deleted, to: &writer)
      writer.append(UInt8(0))
    }
    return writer.array()
  }

  private static func append(keys: [UInt64], to writer: inout ByteWriter) {
    writer.appendVarint(keys.count)
    var least: UInt64 = 0
    for key in keys {
      writer.appendVarint(key - least)
      least = key + 1
    }
  }

  static func varints(_ numbers: some Sequence<UInt64>) -> [UInt8] {
    var writer = ByteWriter()
    for number in numbers { writer.appendVarint(number) }
    return writer.array()
  }

  /// A whole list of links to rows.
  static func list(ofLinksTo keys: some Collection<UInt64>) -> [UInt8] {
    [0] + varints([UInt64(keys.count)]) + varints(keys.lazy.map { $0 + 1 })
  }
}
