package import FirnEngine

extension Effects {
  /// Applies the effects in the running transaction of `writer`, whose graph has the schema of the map that the effects were
  /// decoded with: first all insertions, then the modifications, then the deletions.
  ///
  /// Throws when they do not belong to the content at hand: rows that are not there, keys that were given out, links to
  /// nowhere, primary keys that exist, collections of another length or out of order. The transaction has to be cancelled then.
  /// Never traps for what the effects say.
  ///
  /// - Parameter byteCountMax: The bytes that the blocks of the graph may take. They are looked at after each row and
  ///   each few thousand elements and links, and may exceed this by as many as these take.
  /// - Complexity: O(cells), plus O(log n) for each run of a collection and each link that a deletion removes.
  package func apply(to writer: Writer, byteCountMax: Int = .max) throws(EffectsError) {
    if writer.layout.visibleCount != map.tables.count {
      fatalError("Effects were decoded for a graph of other tables.")
    }
    // The effects name every row that goes with another.
    writer.followsLinkKinds = false
    defer { writer.followsLinkKinds = true }
    // Typed throws do not pass through `withUnsafeBytes` of an array.
    let result = bytes.withUnsafeBytes { bytes -> Result<Void, EffectsError> in
      var applier = EffectsApplier(effects: self, bytes: bytes, writer: writer, byteCountMax: byteCountMax)
      // The effects say themselves which nested collections go.
      writer.keepsReleasedCollections = true
      defer { writer.keepsReleasedCollections = false }
      do throws(EffectsError) {
        try applier.apply()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

/// Applies effects once.
struct EffectsApplier {
  let effects: Effects
  let bytes: UnsafeRawBufferPointer
  let writer: Writer
  private let byteCountMax: Int
  /// Backlinks that were buffered since they were last merged.
  private var bufferedLinkCount = 0
  /// Links of new rows to rows that were not there yet.
  var openLinks: [OpenLink] = []
  var elements = ElementBuffer()
  /// The first key of each table that is new, in the order of the effects.
  private var firstNewKeys: [UInt64] = []
  /// Nested collections that got an owner, by table.
  private var owned: [TableID: [RowKey]] = [:]

  init(effects: Effects, bytes: UnsafeRawBufferPointer, writer: Writer, byteCountMax: Int) {
    self.effects = effects
    self.bytes = bytes
    self.writer = writer
    self.byteCountMax = byteCountMax
  }

  /// Throws when the graph takes too much.
  ///
  /// - Parameter linkCount: Links that were set since the last call. They take memory when they are merged, which is
  ///   not left to the end when they are many.
  @inline(__always)
  mutating func checkMemory(linkCount: Int = 0) throws(EffectsError) {
    bufferedLinkCount &+= linkCount
    if bufferedLinkCount > 1 << 18 {
      bufferedLinkCount = 0
      _ = writer.settledContents
    }
    if writer.allocatedByteCount > byteCountMax { throw EffectsError(beyondBudget: byteCountMax) }
  }

  mutating func apply() throws(EffectsError) {
    for table in effects.tables {
      firstNewKeys.append(writer.nextKey(of: table.table).rawValue)
      try checkKeys(table, firstNewKey: firstNewKeys[firstNewKeys.count - 1])
    }
    for table in effects.tables { try insertRows(table) }
    for link in openLinks {
      try checkTarget(link.target, link.column, in: link.table)
      RowInserter.setNewLink(writer, link.column, of: link.row, in: link.table, to: link.target)
      try checkMemory(linkCount: 1)
    }
    for table in effects.tables {
      for column in table.insertedColumns where column.format.collection != nil || column.format.type == .mixed {
        try modify(column, of: table.inserted, in: table.table)
      }
    }
    for table in effects.tables {
      for group in table.groups {
        for column in group.columns { try modify(column, of: group.keys, in: table.table) }
      }
    }
    for table in effects.tables { writer.delete(table.deleted, from: table.table) }
    try checkNesting()
    if let refusal = writer.refusal { throw EffectsError("Effects cannot be applied: \(refusal)") }
  }

  /// A collection inside a mixed value has one owner.
  private func checkNesting() throws(EffectsError) {
    if owned.isEmpty { return }
    let contents = writer.settledContents
    for (table, keys) in owned {
      if let fault = contents.nestingFault(of: keys, in: table) {
        throw EffectsError("Effects cannot be applied: \(fault).")
      }
    }
  }

  /// Checks that the row is there which a mixed value leads to.
  mutating func checkReference(
    _ reference: MixedReference?, _ column: ColumnID, in table: TableID
  ) throws(EffectsError) {
    guard let reference else { return }
    guard let target = writer.layout.table(of: reference), writer.contents.contains(reference.key, in: target) else {
      let name = writer.layout.tables[table.index].descriptions[column.index].name
      throw error(table, "'\(name)' leads to row \(reference.key.rawValue), which is not there")
    }
    if writer.layout.isNested(target) { owned[target, default: []].append(reference.key) }
  }

  /// Checks that rows are there, or are not, before anything is written.
  private func checkKeys(_ table: TableEffects, firstNewKey: UInt64) throws(EffectsError) {
    if table.nextKey < firstNewKey {
      throw error(table.table, "the next key is \(firstNewKey), beyond \(table.nextKey)")
    }
    if let first = table.inserted.first, first.rawValue < firstNewKey {
      throw error(table.table, "row \(first.rawValue) is inserted where the next key is \(firstNewKey)")
    }
    let contents = writer.contents
    for group in table.groups {
      for key in group.keys where !contents.contains(key, in: table.table) {
        throw error(table.table, "row \(key.rawValue), which is modified, is not there")
      }
    }
    for key in table.deleted where !contents.contains(key, in: table.table) {
      throw error(table.table, "row \(key.rawValue), which is deleted, is not there")
    }
  }

  func checkTarget(_ target: RowKey, _ column: ColumnID, in table: TableID) throws(EffectsError) {
    let layout = writer.layout.tables[table.index]
    if !writer.contents.contains(target, in: TableID(Int(layout.columns[column.index].target))) {
      throw error(
        table, "'\(layout.descriptions[column.index].name)' links to row \(target.rawValue), which is not there")
    }
  }

  func error(_ table: TableID, _ message: String) -> EffectsError {
    EffectsError("Effects on table '\(writer.layout.tables[table.index].name)' cannot be applied: \(message).")
  }
}

/// A link of a new row that waits for its target.
struct OpenLink {
  var table: TableID
  var row: RowKey
  var column: ColumnID
  var target: RowKey
}
