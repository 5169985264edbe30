internal import FirnEngine
internal import Foundation

/// Creates and updates rows from values: one call of `create`, or of `add` with an update policy.
///
/// What is given is read and checked as a whole before anything is written.
final class ObjectCreator {
  private let drafting: Drafting
  private var writer: Writer { drafting.writer }
  private var policy: Realm.UpdatePolicy { drafting.policy }
  /// How many drafts have been written.
  private var writtenCount = 0

  /// Whether unmanaged objects in the value are added themselves, as an assignment does, not copied.
  var addsObjects: Bool {
    get { drafting.addsObjects }
    set { drafting.addsObjects = newValue }
  }

  init(_ instance: RealmInstance, _ writer: Writer, _ policy: Realm.UpdatePolicy) {
    drafting = Drafting(instance, writer, policy)
  }

  init(_ drafting: Drafting) { self.drafting = drafting }

  /// The row that stands for `input` afterwards. Nothing is written when it throws.
  func create(_ handle: TableHandle, _ input: Any) throws -> RowKey {
    let draft = try drafting.draft(handle, input)
    writeDrafts()
    return row(.draft(draft))
  }

  /// Writes one property; with `.modified` only what differs. Nothing is written when it throws.
  func set(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, to value: Any
  ) throws {
    let cell = try drafting.draft(column, property, of: key, handle, value)
    writeDrafts()
    write(cell, ColumnID(column), of: key, in: handle.table, isNew: false)
  }

  // MARK: Writing

  /// All rows come first, so that links find theirs.
  private func writeDrafts() {
    let new = drafting.order[writtenCount...]
    writtenCount = drafting.order.count
    for index in new { writeRow(index) }
    for index in new {
      let draft = drafting.drafts[index]
      guard let key = draft.row else { continue }
      let isNew = if case .insert = draft.outcome { true } else { false }
      for (column, cell) in draft.cells.enumerated() {
        guard let cell, cell.waitsForRows else { continue }
        write(cell, ColumnID(column), of: key, in: draft.handle.table, isNew: isNew)
      }
    }
  }

  private func writeRow(_ index: Int) {
    let draft = drafting.drafts[index]
    let table = draft.handle.table
    switch draft.outcome {
    case .unknown: break
    case .same(let other): drafting.setRow(row(.draft(other)), of: index)
    case .insert:
      let plans = draft.handle.plans
      let key = writer.insert(into: table) { inserter in
        withUnsafeMutablePointer(to: &inserter) { inserter in
          for column in draft.cells.indices {
            if case .scalar(let value)? = draft.cells[column] {
              inserter.pointee.set(ColumnID(column), value)
            } else if draft.cells[column] == nil, let defaults = draft.defaults {
              PropertyPlan.insert(plans + column, Unmanaged.passUnretained(defaults).toOpaque(), inserter, column)
            }
          }
        }
      }
      drafting.setRow(key, of: index)
    case .update(let target):
      let key = row(target)
      drafting.setRow(key, of: index)
      for (column, cell) in draft.cells.enumerated() {
        guard let cell, !cell.waitsForRows else { continue }
        write(cell, ColumnID(column), of: key, in: table, isNew: false)
      }
    }
  }

  private func row(_ target: DraftTarget) -> RowKey {
    switch target {
    case .row(let key): key
    case .draft(let index): drafting.drafts[index].row.unsafelyUnwrapped
    case .unmanaged(let object): drafting.instance.rowToLink(object)
    }
  }

  /// - Parameter isNew: Whether the row was just inserted, without links and with empty collections.
  private func write(_ cell: ObjectDraft.Cell, _ column: ColumnID, of key: RowKey, in table: TableID, isNew: Bool) {
    switch cell {
    case .unchanged: break
    case .scalar(let value): set(column, of: key, in: table, to: value)
    case .mixed(let value):
      if value.isCollection, !isNew, leavesEqual,
        isStored(value, as: writer.contents.value(column, of: key, in: table))
      {
        return
      }
      let stored = self.stored(value)
      if isNew, stored == .null { return }
      set(column, of: key, in: table, to: stored)
    case .link(let target):
      if isNew, target == nil { return }
      set(column, of: key, in: table, to: target.map { .link(row($0)) } ?? .null)
    case .elements(let kind, let elements):
      if isNew, elements.isEmpty { return }
      let count = isNew || kind != .list || !leavesEqual ? 0 : writer.listCount(column, of: key, in: table)
      let values = elements.enumerated().map { index, element in
        value(
          element,
          over: index < count ? writer.contents.listValue(at: index, of: column, of: key, in: table) : nil)
      }
      let holdsOwn = !isNew && holdsOwnObjects(elements, column, table)
      replace(.elements(values), kind, column, of: key, in: table, isNew: isNew, inPlace: leavesEqual || holdsOwn)
    case .entries(let entries):
      if isNew, entries.isEmpty { return }
      let isCompared = !isNew && leavesEqual
      let values = entries.map { name, element in
        let current =
          isCompared ? writer.contents.mapValue(forKey: Array(name.utf8), column, of: key, in: table) : nil
        return (key: name, value: value(element, over: current))
      }
      let holdsOwn = !isNew && holdsOwnObjects(entries.lazy.map(\.value), column, table)
      replace(.entries(values), .map, column, of: key, in: table, isNew: isNew, inPlace: leavesEqual || holdsOwn)
    }
  }

  /// Whether what is equal is left as it is.
  private var leavesEqual: Bool { policy == .modified || writer.client.skipsEqualWrites }

  /// Whether embedded objects are given that are in their places in the collection already: taking these out would delete
  /// them.
  private func holdsOwnObjects(_ elements: some Sequence<DraftElement>, _ column: ColumnID, _ table: TableID) -> Bool {
    guard writer.layout.tables[table.index].columns[column.index].linkKind == .embedded else { return false }
    return elements.contains { if case .link(.row) = $0 { true } else { false } }
  }

  /// - Parameter current: What is in the place now, if that may stay: it does when it is a collection of the same content.
  private func value(_ element: DraftElement, over current: Value?) -> Value {
    switch element {
    case .value(let value): return value
    case .mixed(let value):
      if value.isCollection, let current, isStored(value, as: current) { return current }
      return stored(value)
    case .link(let target): return .link(row(target))
    }
  }

  /// The stored form of a mixed value, whose objects have their rows by now; collections in it are copied.
  private func stored(_ value: AnyRealmValue) -> Value {
    var copy = NestedCopy<Never>(writer) { [self] in reference(to: $0) }
    return copy.copy(value)
  }

  /// Whether a stored value has the content of a mixed value, kind by kind.
  private func isStored(_ value: AnyRealmValue, as stored: Value) -> Bool {
    writer.holds(stored, contentOf: value) { reference(to: $0) }
  }

  private func reference(to object: Object) -> Value {
    guard let target = drafting.mixedTarget(of: object) else { return drafting.instance.reference(to: object) }
    return .object(drafting.drafts[target].handle.layout.number, row(.draft(target)))
  }

  private func set(_ column: ColumnID, of key: RowKey, in table: TableID, to new: Value) {
    if policy == .modified, writer.contents.value(column, of: key, in: table) == new { return }
    writer.set(column, of: key, in: table, to: new)
  }

  /// - Parameter inPlace: Whether what is in its place stays there.
  private func replace(
    _ content: StoredContent, _ kind: CollectionKind, _ column: ColumnID, of key: RowKey, in table: TableID,
    isNew: Bool, inPlace: Bool
  ) {
    // A new collection has nothing to be taken out or compared with.
    if !isNew, inPlace {
      return writer.replaceDifferences(of: column, kind, of: key, in: table, with: content)
    }
    if !isNew { writer.removeAll(of: column, of: key, in: table) }
    writer.add(content, to: column, kind, of: key, in: table)
  }
}

/// A managed collection, as far as it takes to know it again.
protocol ManagedListIdentity {
  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { get }
}

extension Value {
  /// How messages show a value.
  var text: String {
    switch self {
    case .null: "<null>"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value), .date(let value): "\(value)"
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .uuid: UUID._make(_StoredValue(self)).map { "\($0)" } ?? ""
    case .data(let bytes): "\(bytes.count) bytes"
    case .objectID(let bytes): ObjectId(bytes).stringValue
    case .decimal128(let bits): DecimalFloat(bits).description
    case .link, .object, .list, .map: "\(self)"
    }
  }
}
