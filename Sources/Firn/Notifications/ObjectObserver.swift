internal import FirnEngine
internal import FirnReactive

/// Observes one object.
final class ObjectObserver: DataObserver {
  let table: TableHandle
  let key: RowKey
  @exclusivity(unchecked) private var object: ObjectBase
  private let filter: KeyPathFilter
  private let body: (Event) -> Void
  private var closed: [Span] = []
  private var open = Span()
  private var isOver = false

  enum Event {
    case change(ObjectBase, [PropertyChange])
    case deleted
  }

  /// What happened in a span of versions.
  private struct Span {
    /// Changed columns with their values from before the first change; backlinks come behind the columns, without.
    var before: [(column: Int, value: Any?)] = []
    var isDeleted = false

    var isEmpty: Bool { before.isEmpty && !isDeleted }
  }

  init(_ object: ObjectBase, _ table: TableHandle, _ filter: KeyPathFilter, _ body: @escaping (Event) -> Void) {
    self.object = object
    self.table = table
    self.filter = filter
    self.body = body
    key = RowKey(object._key)
  }

  /// What concerns it.
  var places: [ObserverPlace] {
    let own = ObserverPlace.row(table.table, key)
    return filter.looksBehindLinks ? [own, .behind(table.table, key, filter)] : [own]
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if isOver || open.isDeleted { return }
    let index = table.layout.index
    if step.isDeleted(key, in: index) {
      open.isDeleted = true
      return
    }
    var columns = step.written(key, in: index)
    if let wanted = filter.columns { columns.formIntersection(wanted) }
    for path in filter.paths {
      switch path[0] {
      case .column(let column):
        if !columns.contains(column), step.isWritten(path[...], from: key, in: index) { columns.insert(column) }
      case .backlinks(let property, _, _):
        let column = table.planCount + property
        if open.before.contains(where: { $0.column == column }) { continue }
        if step.isWritten(path[...], from: key, in: index) { open.before.append((column, nil)) }
      }
    }
    if columns.isEmpty { return }
    for column in 0..<table.layout.columnCount where columns.contains(ColumnID(column)) {
      if open.before.contains(where: { $0.column == column }) { continue }
      open.before.append((column, oldValue(ColumnID(column), step)))
    }
  }

  /// The value before, as the object's property would give it; a link leads to the object as it is now.
  private func oldValue(_ column: ColumnID, _ step: ChangeStep) -> Any? {
    let property = table.model.properties[column.index]
    if property.shape.isCollection { return nil }
    if property.shape.type == .object {
      guard case .link(let target) = step.old.value(column, of: key, in: table.table) else { return nil }
      let handle = step.instance.handle(table.targetNumber(of: column.index))
      if step.new.contains(target, in: handle.table) { return handle.accessor(target) }
      return handle.goneAccessor(target, in: step.old)
    }
    if case .object(let number, let target) = step.old.value(column, of: key, in: table.table),
      let handle = step.instance.handle(numbered: number, isDynamic: table.isDynamic)
    {
      if step.new.contains(target, in: handle.table) { return handle.accessor(target) }
      return handle.goneAccessor(target, in: step.old)
    }
    return step.before.handle(table.number).accessor(key).storedValue(column.index)
  }

  override func closeSpan() {
    if !open.isEmpty { closed.append(open) }
    open = Span()
  }

  override func dropOpen() {
    if open.isDeleted { isOver = true }
    open = Span()
  }

  override var isDue: Bool { !open.isEmpty || !closed.isEmpty }

  /// An accessor that was deleted stays so, though its transaction was cancelled and the row lives on.
  private func renewObject() {
    guard table.accessors.lastValues(of: object) != nil,
      table.instance.version.unsafelyUnwrapped.snapshot.contains(key, in: table.table)
    else { return }
    object = table.accessor(key)
  }

  override func deliver() {
    renewObject()
    let spans = closed + [open]
    closed = []
    open = Span()
    for span in spans where !span.isEmpty && isActive {
      if span.isDeleted {
        isOver = true
        body(.deleted)
        return
      }
      body(
        .change(
          object,
          span.before.sorted { $0.column < $1.column }.map { column, old in
            if column >= table.planCount {
              let name = table.model.linkingProperties[column - table.planCount].name
              return PropertyChange(name: name, oldValue: nil, newValue: nil)
            }
            let property = table.model.properties[column]
            let new = property.shape.isCollection ? nil : object.storedValue(column)
            return PropertyChange(name: property.name, oldValue: old, newValue: new)
          }))
    }
  }
}

extension ObjectBase {
  /// The value of a property as it is stored: the raw value of an enumeration, the object of a link, nil for null.
  func storedValue(_ column: Int) -> Any? {
    guard let table = _table else { return nil }
    if table.isDynamic { return unsafeDowncast(self, to: DynamicObject.self)._read(table.model.properties[column]) }
    let shape = table.model.properties[column].shape
    if shape.custom != nil, !shape.isCollection { return _storedTarget(column) }
    let type: any _Persistable.Type = table.model.properties[column].wrapper.value
    return read(type, table.slot(column))
  }

  private func read<Value: _Persistable>(_ type: Value.Type, _ slot: UInt64) -> Any? {
    let value: Value = _readSlowly(slot)
    var result: Any = value
    if let optional = result as? any AnyOptional {
      guard let wrapped = optional.anyWrapped else { return nil }
      result = wrapped
    }
    if let mixed = result as? AnyRealmValue { return mixed.payload }
    return Unwrapping.persisted(result)
  }
}

private protocol AnyOptional {
  var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var anyWrapped: Any? { self }
}

extension TableHandle {
  /// An accessor of a row that is gone, with the values it had in an earlier version.
  func goneAccessor(_ key: RowKey, in snapshot: Snapshot) -> ObjectBase? {
    guard let location = snapshot.locate(key, in: table) else { return nil }
    let object = make(key, at: nil, .keyed)
    accessors.setLastValues(of: key.rawValue) { RowCopy.make(location, in: snapshot, table: table) }
    return object
  }
}
