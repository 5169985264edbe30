internal import CFirn
internal import FirnEngine
internal import FirnReactive
public import Observation

/// Objects of realms whose configuration says ``Realm/Configuration/tracksObservation`` take part in Observation, property by
/// property.
extension ObjectBase: Observable {}

extension RealmInstance {
  /// What notes reads, if the caller is in a scope that wants to hear of changes.
  var activeTracking: RealmTracking? { tracking.flatMap { $0.isInScope ? $0 : nil } }
}

extension ObjectBase {
  /// Notes the read of a property, where reads are tracked. True at home, where the cache points at the row from now on.
  @usableFromInline @inline(never)
  final func _trackRead(_ slot: UInt64) -> Bool {
    let context = _context.unsafelyUnwrapped
    RealmContext.tracking(context)._withUnsafeGuaranteedRef { if $0.isInScope { _note(slot, $0) } }
    guard RealmContext.isTrackedHome(context) else { return false }
    if _epoch != context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self) { _resolve() }
    return true
  }

  @inline(never)
  private final func _note(_ slot: UInt64, _ tracking: RealmTracking) {
    let table = _table.unsafelyUnwrapped
    // Links from other rows are noted when they are looked at.
    let column = PropertySlot.column(slot)
    if column >= table.planCount || _isGoneForGood { return }
    tracking.note(.property(table.table, RowKey(_key), ColumnID(column)))
  }

  /// Notes that it was asked whether the object exists.
  @inline(never)
  final func _noteExistence() {
    guard let table = _table, let tracking = table.instance.activeTracking else { return }
    if !_isGoneForGood { tracking.note(.existence(table.table, RowKey(_key))) }
  }

  /// Whether the row was deleted, so that the last values stay. A row whose deletion was undone is still seen by other
  /// threads.
  private final var _isGoneForGood: Bool {
    let table = _table.unsafelyUnwrapped
    guard table.accessors.lastValues(of: self) != nil else { return false }
    return table.instance.read { !$0.contains(RowKey(_key), in: table.table) }
  }
}

extension CollectionBase {
  /// Whether the calling thread is at home, where reads are tracked.
  final var _isAtTrackedHome: Bool {
    let context = _context.unsafelyUnwrapped
    return RealmContext.isTracked(context) && RealmContext.isTrackedHome(context)
  }

  /// Whether the collection was not invalidated. Asked by all that read it: where reads are tracked, it notes the read.
  @inline(__always)
  final var _mayRead: Bool {
    _fastPath(_generation == RealmContext.generation(_context.unsafelyUnwrapped)) || _mayReadTracked
  }

  @inline(never)
  final var _mayReadTracked: Bool {
    if _isStale { return false }
    let (context, table) = (_context.unsafelyUnwrapped, _table.unsafelyUnwrapped)
    RealmContext.tracking(context)._withUnsafeGuaranteedRef { tracking in
      if tracking.isInScope { tracking.note(.property(table.table, RowKey(_key), _column)) }
    }
    return true
  }
}

extension ResultsCore {
  /// Notes that the query is read, where reads are tracked.
  ///
  /// - Parameter filter: What counts of its rows, beside which they are.
  @inline(__always)
  final func noteRead(counting filter: @autoclosure () -> KeyPathFilter = .nothing) {
    if _slowPath(isTracked) { noteTrackedRead(filter) }
  }

  /// Lets everything of its rows count, and what is behind their links.
  final var everythingBehind: KeyPathFilter {
    KeyPathFilter(everythingIn: tableIndex, instance.store.graph.layout, followsLinks: true)
  }

  @inline(never)
  private final func noteTrackedRead(_ filter: () -> KeyPathFilter) {
    guard let tracking = instance.activeTracking else { return }
    if case .list(let owner, let row, let column) = source, isOfValues {
      return tracking.note(.property(owner.table, row, column))
    }
    let filter = filter()
    if let allBacklinks, filter == .nothing { return tracking.note(.backlinks(allBacklinks)) }
    tracking.note(.query(viewQuery, filter))
  }
}

extension RealmInstance {
  /// Notes that an object is looked up.
  @inline(__always)
  final func noteLookUp(_ key: @autoclosure () -> Value?, _ table: TableHandle) {
    guard let tracking = activeTracking, let key = key() else { return }
    noteLookUp(key, table, tracking)
  }

  /// Apart, so that a look-up outside of a scope makes no room for it.
  @inline(never)
  private final func noteLookUp(_ key: Value, _ table: TableHandle, _ tracking: RealmTracking) {
    guard let column = table.layout.primaryKey else { return }
    let query = ViewQuery(table: table.table, predicate: .compare(ColumnPath(ColumnID(column)), .equal, key))
    tracking.note(.query(query, .nothing))
  }
}
