internal import CFirn
internal import FirnEngine

extension ObjectBase {
  /// Finds the row in the last committed version and keeps that from going away until `_endAwayRead`.
  @usableFromInline
  package final func _beginAwayRead(_ slot: UInt64) -> AwayRow {
    // The ordinary case touches neither the realm nor the table, which would have to be retained.
    let context = _context.unsafelyUnwrapped
    if !RealmContext.isWritingHere(context) {
      let reader = firn_reader_get().unsafelyUnwrapped
      firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
      let root = RealmContext.awayRoot(context)
      if let location = Directory.locate(VersionRoot.table(root, Int(_tableIndex)), _key) {
        return AwayRow(cluster: location.cluster, slot: location.slot, root: root)
      }
      firn_reader_end(reader)
    }
    return _beginUnusualAwayRead(slot)
  }

  /// Reads while a key path is traced, in the realm's own transaction, and of rows that are gone.
  @inline(never)
  private final func _beginUnusualAwayRead(_ slot: UInt64) -> AwayRow {
    let table = _table.unsafelyUnwrapped
    let realm = _reader.unsafelyUnwrapped
    if let trace = realm.trace {
      trace.note(PropertySlot.column(slot), of: self)
      return AwayRow(cluster: nil, slot: 0, root: nil)
    }
    if realm.isWritingHere {
      // The transaction of a realm without a home thread: its own writes are visible to it.
      _resolve()
      return AwayRow(cluster: _cluster, slot: Int(_slot), root: realm.rootForReading)
    }
    let reader = firn_reader_get().unsafelyUnwrapped
    let context = UnsafeRawPointer(table.context)
    while true {
      firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
      let root = RealmContext.awayRoot(context)
      if let location = Directory.locate(VersionRoot.table(root, table.layout.index), _key) {
        return AwayRow(cluster: location.cluster, slot: location.slot, root: root)
      }
      firn_reader_end(reader)
      if let values = table.accessors.lastValues(of: self) {
        table.checkInvalidatedRead()
        return AwayRow(cluster: UnsafeRawPointer(values), slot: 0, root: nil)
      }
      if !RealmContext.isAdvancing(context) {
        // The realm may have finished between the two looks.
        if let values = table.accessors.lastValues(of: self) {
          table.checkInvalidatedRead()
          return AwayRow(cluster: UnsafeRawPointer(values), slot: 0, root: nil)
        }
        if RealmContext.awayRoot(context) == root {
          return AwayRow(cluster: table.lastValues(of: self), slot: 0, root: nil)
        }
      }
      firn_yield()
    }
  }

  @usableFromInline
  package final func _endAwayRead(_ row: AwayRow) {
    if row.root != nil { firn_reader_end(firn_reader_get().unsafelyUnwrapped) }
  }
}
