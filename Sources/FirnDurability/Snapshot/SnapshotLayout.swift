internal import FirnEngine

/// Which blocks of a base belong together.
struct SnapshotLayout: Sendable {
  /// The values of the dictionary of a column.
  struct DictionaryPlace: Sendable {
    var table: Int
    var column: Int
    var blocks: Range<Int>
  }

  /// Rows of a table: a block of keys, then one block per column of the catalogue, or more for a collection of a single row.
  struct GroupPlace: Sendable {
    var table: Int
    var firstBlock: Int
    var rowCount: Int
    /// Where the blocks of each column end.
    var columnEnds: [Int]

    func blocks(ofColumn column: Int) -> Range<Int> {
      (column == 0 ? firstBlock + 1 : columnEnds[column - 1])..<columnEnds[column]
    }
  }

  /// The most that a block adds to the layout.
  static var byteCountPerBlock: Int { MemoryLayout<GroupPlace>.stride + 48 }

  private(set) var dictionaries: [DictionaryPlace] = []
  private(set) var groups: [GroupPlace] = []

  /// Goes through the blocks as the format orders them: table by table as in the catalogue, dictionaries by column, then
  /// groups. Throws at the first block that does not fit. The offset of the error is the number of the block.
  ///
  /// - Complexity: O(blocks + tables).
  init(_ directory: SnapshotDirectory) throws(DecodingError) {
    let blocks = directory.blocks
    var next = 0
    for (index, table) in directory.catalogue.tables.enumerated() {
      for (column, description) in table.columns.enumerated() {
        let start = next
        while next < blocks.count, blocks[next].isDictionary(of: description.id, in: table.id) { next += 1 }
        if start == next { continue }
        guard description.type == .string || description.type == .data, description.collection == nil else {
          throw DecodingError("A dictionary for '\(table.name).\(description.name)'", offset: start)
        }
        dictionaries.append(DictionaryPlace(table: index, column: column, blocks: start..<next))
      }
      var rowCount = 0
      while next < blocks.count, blocks[next].kind == .keys, blocks[next].tableID == table.id {
        let keys = blocks[next]
        guard keys.columnID == 0 else {
          throw DecodingError("Keys of '\(table.name)' that belong to a column", offset: next)
        }
        var end = next + 1
        var columnEnds: [Int] = []
        columnEnds.reserveCapacity(table.columns.count)
        for column in table.columns {
          func isNext() -> Bool {
            guard end < blocks.count, blocks[end].kind == .column else { return false }
            return blocks[end].tableID == table.id && blocks[end].columnID == column.id
              && blocks[end].rowCount == keys.rowCount
          }
          guard isNext() else {
            throw DecodingError("No block, or a wrong one, for '\(table.name).\(column.name)'", offset: end)
          }
          end += 1
          if keys.rowCount == 1, column.collection != nil { while isNext() { end += 1 } }
          columnEnds.append(end)
        }
        groups.append(
          GroupPlace(table: index, firstBlock: next, rowCount: keys.rowCount, columnEnds: columnEnds))
        rowCount += keys.rowCount
        next = end
      }
      guard rowCount == directory.tables[index].rowCount else {
        throw DecodingError(
          "\(rowCount) rows of '\(table.name)', not \(directory.tables[index].rowCount)", offset: next)
      }
    }
    if next < blocks.count { throw DecodingError("A block that belongs nowhere", offset: next) }
  }
}

extension SnapshotDirectory.Block {
  fileprivate func isDictionary(of column: UInt32, in table: UInt32) -> Bool {
    kind == .dictionary && tableID == table && columnID == column
  }
}

extension Catalogue.Column {
  /// What the column's values look like in a chunk.
  var shape: SequenceShape {
    switch type {
    case .bool: SequenceShape(.bits, collection: collection)
    case .int, .link: SequenceShape(.ints, collection: collection)
    case .string, .data, .mixed: SequenceShape(.bytes, collection: collection)
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      SequenceShape(.fixed(width: type.width), collection: collection)
    }
  }
}
