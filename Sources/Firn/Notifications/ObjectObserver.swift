internal import FirnEngine
internal import FirnReactive

/// Observes one object.
final class ObjectObserver: SpanObserver<ObjectSpan> {
  let table: TableHandle
  let key: RowKey
  @exclusivity(unchecked) private var object: ObjectBase
  private let view: ObjectView
  private let filter: KeyPathFilter
  private let body: (Event) -> Void
  /// Whether the object went, and whether that was told.
  private var isOver = false
  private var hasToldEnd = false

  enum Event {
    case change(ObjectBase, [PropertyChange])
    case deleted
  }

  init(_ object: ObjectBase, _ table: TableHandle, _ filter: KeyPathFilter, _ body: @escaping (Event) -> Void) {
    self.object = object
    self.table = table
    self.filter = filter
    self.body = body
    key = RowKey(object._key)
    view = ObjectView(table.table, key)
  }

  /// What concerns it.
  var places: [ViewPlace] { view.places(filter) }

  override func advance(_ step: inout RealmStep) {
    if isOver || open?.change.isDeleted == true { return }
    guard let change = view.change(step.step, filter) else { return }
    var span = ObjectSpan(change: change)
    for column in 0..<table.layout.columnCount where change.columns.contains(ColumnID(column)) {
      if open?.change.columns.contains(ColumnID(column)) == true { continue }
      if let old = oldValue(ColumnID(column), &step) { span.oldValues[column] = old }
    }
    add(span, of: step)
  }

  /// The value before, as the object's property would give it; a link leads to the object as it is now.
  private func oldValue(_ column: ColumnID, _ realmStep: inout RealmStep) -> Any? {
    let step = realmStep.step
    let property = table.model.properties[column.index]
    if property.shape.isCollection { return nil }
    if property.shape.type == .object {
      guard case .link(let target) = step.old.value(column, of: key, in: table.table) else { return nil }
      let handle = realmStep.instance.handle(table.targetNumber(of: column.index))
      if step.new.contains(target, in: handle.table) { return handle.accessor(target) }
      return handle.goneAccessor(target, in: step.old)
    }
    if case .object(let number, let target) = step.old.value(column, of: key, in: table.table),
      let handle = realmStep.instance.handle(numbered: number, isDynamic: table.isDynamic)
    {
      if step.new.contains(target, in: handle.table) { return handle.accessor(target) }
      return handle.goneAccessor(target, in: step.old)
    }
    return realmStep.before.accessor(key, table.number).storedValue(column.index)
  }

  override func dropOpen() {
    if open?.change.isDeleted == true { isOver = true }
    super.dropOpen()
  }

  /// An accessor that was deleted stays so, though its transaction was cancelled and the row lives on.
  private func renewObject() {
    guard table.accessors.lastValues(of: object) != nil,
      table.instance.version.unsafelyUnwrapped.withContents({ $0.contains(key, in: table.table) })
    else { return }
    object = table.accessor(key)
  }

  override func deliver(_ context: RealmObservers) {
    renewObject()
    super.deliver(context)
  }

  /// The end may be told at any time.
  override func mayCall(_ span: ObjectSpan) -> Bool { span.change.isDeleted || super.mayCall(span) }

  override func call(_ span: ObjectSpan) {
    if hasToldEnd { return }
    if span.change.isDeleted {
      (isOver, hasToldEnd) = (true, true)
      return body(.deleted)
    }
    var changes: [PropertyChange] = []
    for (column, property) in table.model.properties.enumerated()
    where span.change.columns.contains(ColumnID(column)) {
      let new = property.shape.isCollection ? nil : object.storedValue(column)
      changes.append(PropertyChange(name: property.name, oldValue: span.oldValues[column], newValue: new))
    }
    for property in table.model.linkingProperties where !span.change.backlinks.isEmpty {
      let origin = table.instance.store.schema.origin(of: property)
      if span.change.backlinks.contains(.backlinks(origin: origin.table, origin.column)) {
        changes.append(PropertyChange(name: property.name, oldValue: nil, newValue: nil))
      }
    }
    body(.change(object, changes))
  }
}

/// What happened to an object, with the values from before the first change of each property; nil is left out.
struct ObjectSpan: Span {
  var change: ObjectViewChange
  var oldValues: [Int: Any] = [:]

  var isEmpty: Bool { change.isEmpty }

  mutating func merge(_ later: ObjectSpan) {
    change.merge(later.change)
    oldValues.merge(later.oldValues) { old, _ in old }
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
    if let mixed = result as? AnyRealmValue { return mixed.payload.map { Unwrapping.named($0) } }
    return Unwrapping.named(Unwrapping.persisted(result))
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
  func goneAccessor(_ key: RowKey, in contents: GraphContents) -> ObjectBase? {
    guard let location = contents.locate(key, in: table) else { return nil }
    let object = make(key, at: nil, .keyed)
    accessors.setLastValues(of: key.rawValue) { RowCopy.make(location, in: contents, table: table) }
    return object
  }
}
