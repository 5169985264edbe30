internal import FirnEngine

/// The walk of `add` through an object and everything that its links lead to.
///
/// An object gets its row when the walk meets it; then comes what its links lead to, one link after the other, and in the
/// end its collections. What is left to do for the objects on the way is kept in a list instead of on the thread's stack,
/// so that a chain of any length can be added, also in a task.
///
/// Whatever stores an unmanaged object meanwhile (an embedded object, a value of a custom type) gets its row at once, and
/// the walk goes on to what that object links to afterwards.
///
/// Not thread-safe: used by whoever runs the realm's write transaction. The realm is an argument instead of a property: an
/// unowned one would be retained for every use.
final class AddingWalk {
  /// The policy of what is being added; nil when nothing is.
  @exclusivity(unchecked) private var policy: Realm.UpdatePolicy?
  /// Where it was added, for messages; nil when an assignment did.
  @exclusivity(unchecked) private var site: CallSite?
  @exclusivity(unchecked) private var steps: [Step] = []

  /// What is left to do for an object.
  private enum Step {
    case insertion(NewObject)
    case update(ObjectUpdate)
  }

  /// More places than this are not kept for the next walk.
  private static var keptCapacity: Int { 1024 }

  /// Adds an unmanaged object, and what it links to. The row it stands for afterwards.
  func add(
    _ object: ObjectBase, _ update: Realm.UpdatePolicy, _ site: CallSite? = nil, in instance: RealmInstance
  ) -> RowKey {
    let outer = policy
    let outerSite = self.site
    self.site = site
    // Code of a model class may add objects of its own in the middle of a walk.
    let outerCount = steps.count
    policy = update
    let key = begin(object, update, isTop: outer == nil, isFirst: true, instance)
    while steps.count > outerCount { advance(instance) }
    policy = outer
    self.site = outerSite
    if outerCount == 0, steps.capacity > Self.keptCapacity { steps = [] }
    return key
  }

  /// The row for an unmanaged object that something is going to lead to.
  func row(for object: ObjectBase, in instance: RealmInstance) -> RowKey {
    guard let policy else { return add(object, .error, in: instance) }
    return begin(object, policy, isTop: false, isFirst: false, instance)
  }

  /// Whether anything waits that did not when there were `count` steps.
  private func hasGrown(from count: Int) -> Bool { steps.count > count }

  private func advance(_ instance: RealmInstance) {
    let step = steps.removeLast()
    let start = steps.count
    switch step {
    case .insertion(let object): insert(object, instance)
    case .update(let update):
      let isDone = update.advance { self.hasGrown(from: start) }
      comeFirst(from: start)
      if !isDone { steps.insert(.update(update), at: start) }
    }
  }

  /// Does the next thing for a new object, and puts what is left behind what it met.
  @inline(__always) private func insert(_ object: consuming NewObject, _ instance: RealmInstance) {
    let start = steps.count
    let isDone = advance(&object, instance)
    comeFirst(from: start)
    if !isDone { steps.insert(.insertion(object), at: start) }
  }

  /// Things that were met in one step are done in the order in which they were met.
  private func comeFirst(from start: Int) {
    if steps.count > start + 1 { steps[start...].reverse() }
  }

  // MARK: Objects

  /// Gives an object its row.
  ///
  /// - Parameters:
  ///   - isTop: Whether this is what `add` was called with.
  ///   - isFirst: Whether it is the first thing of its walk. Most often nothing waits for it then, so that it needs no place in
  ///     the list.
  private func begin(
    _ object: ObjectBase, _ policy: Realm.UpdatePolicy, isTop: Bool, isFirst: Bool, _ instance: RealmInstance
  ) -> RowKey {
    let handle = instance.handleToAdd(type(of: object))
    let address = Unmanaged.passUnretained(object).toOpaque()
    let writer = instance.writer.unsafelyUnwrapped
    if policy != .error {
      if let keyColumn = handle.layout.primaryKey {
        let property = handle.model.properties[keyColumn]
        let key = property.wrapper.value(at: address + property.offset, of: object)
        if let existing = instance.locate(key, handle, handle.layout.columns[keyColumn].type, writer.contents) {
          update(object, at: existing.key, handle, policy, in: instance)
          return existing.key
        }
      } else if isTop {
        RealmInstance.trap(site, "'\(handle.model.name)' does not have a primary key and can not be updated.")
      }
    }
    let inserted = writer.insertUnique(into: handle.table) { inserter in
      withUnsafeMutablePointer(to: &inserter) { inserter in
        let plans = handle.plans
        var column = 0
        while column < handle.planCount {
          PropertyPlan.insert(plans + column, address, inserter, column)
          column &+= 1
        }
      }
    }
    if let existing = inserted.existing { instance.trapForDuplicate(existing, handle, site) }
    let plans = handle.plans
    var column = 0
    while column < handle.planCount {
      PropertyPlan.promote(plans + column, address)
      column &+= 1
    }
    handle.promoteLinking(address)
    // Managed from here on, so that links back to the object find it.
    handle.bind(object, inserted.key, at: nil, .keyed)
    if handle.hasReferences {
      let column = isFirst ? setLinksToRows(address, inserted.key, handle, instance, writer) : 0
      if column < handle.planCount {
        let new = NewObject(object: object, key: inserted.key, handle: handle, column: column)
        if isFirst { insert(new, instance) } else { steps.append(.insertion(new)) }
      }
    }
    return inserted.key
  }

  /// Makes an unmanaged object the accessor of a row that exists, which gets its values.
  func update(
    _ object: ObjectBase, at key: RowKey, _ handle: TableHandle, _ policy: Realm.UpdatePolicy,
    in instance: RealmInstance
  ) {
    steps.append(.update(ObjectUpdate(object, key, instance, handle, policy)))
  }

  /// An object that has its row, and what is left of it.
  private struct NewObject {
    let object: ObjectBase
    let key: RowKey
    unowned(unsafe) let handle: TableHandle
    /// The column that comes next.
    var column = 0
    /// What the link before that column leads to, when that was new.
    var target: RowKey?
    /// Collections and the like, which wait until the links are set.
    var waiting: WaitingValues?
  }

  /// Sets the first links of a new object, as long as they lead to objects that have rows. The column that comes next.
  private func setLinksToRows(
    _ address: UnsafeMutableRawPointer, _ key: RowKey, _ handle: TableHandle, _ instance: RealmInstance,
    _ writer: Writer
  ) -> Int {
    var column = 0
    while column < handle.planCount {
      let plan = handle.plans + column
      switch plan.pointee.kind {
      case .collection, .mixed, .customLink: return column
      case .link:
        let wrapper = address + plan.pointee.offset
        if RealmInstance.leadsToUnmanaged(wrapper) { return column }
        if let target = RealmInstance.takeLink(wrapper, plan.pointee.slot) {
          let row = instance.rowToLink(target, for: handle.propertyName(column))
          instance.checkTarget(target, of: column, in: handle.layout)
          setLink(ColumnID(column), of: key, in: handle.table, to: row, writer)
        }
      case .int, .double, .bool, .date, .string, .other: break
      }
      column &+= 1
    }
    return column
  }

  /// Does the next thing for an object; true when that was the last.
  private func advance(_ new: inout NewObject, _ instance: RealmInstance) -> Bool {
    let handle = new.handle
    let writer = instance.writer.unsafelyUnwrapped
    if let target = new.target {
      new.target = nil
      setLink(ColumnID(new.column - 1), of: new.key, in: handle.table, to: target, writer)
    }
    let address = Unmanaged.passUnretained(new.object).toOpaque()
    while new.column < handle.planCount {
      let plan = handle.plans + new.column
      let wrapper = address + plan.pointee.offset
      new.column += 1
      switch plan.pointee.kind {
      case .collection, .mixed, .customLink: wait(for: new.column - 1, wrapper, &new)
      case .link:
        guard let target = RealmInstance.takeLink(wrapper, plan.pointee.slot) else { continue }
        let isNew = target._instance == nil
        let start = steps.count
        let row = instance.rowToLink(target, for: handle.propertyName(new.column - 1))
        instance.checkTarget(target, of: new.column - 1, in: handle.layout)
        if isNew, hasGrown(from: start) {
          // The target takes its turn first.
          new.target = row
          return false
        }
        setLink(ColumnID(new.column - 1), of: new.key, in: handle.table, to: row, writer)
      case .int, .double, .bool, .date, .string, .other: continue
      }
    }
    guard let waiting = new.waiting else { return true }
    return waiting.advance(new.object) {
      let start = steps.count
      _ = row(for: $0, in: instance)
      return hasGrown(from: start)
    }
  }

  private func setLink(_ column: ColumnID, of key: RowKey, in table: TableID, to row: RowKey, _ writer: Writer) {
    if policy == .error {
      RowInserter.setNewLink(writer, column, of: key, in: table, to: row)
    } else {
      // Another object of the same primary key may have written the row since.
      writer.setLink(column, of: key, in: table, to: row)
    }
  }

  private func wait(for column: Int, _ wrapper: UnsafeMutableRawPointer, _ new: inout NewObject) {
    let property = new.handle.model.properties[column]
    let slot = new.handle.slot(column)
    let holder =
      new.handle.layout.columns[column].linkKind == .embedded ? nil : property.holder(at: wrapper, of: new.object)
    guard let set = property.wrapper.promote(at: wrapper, slot: slot) else { return }
    if new.waiting == nil { new.waiting = WaitingValues() }
    new.waiting?.append(set, holder)
  }
}

/// The collections and mixed values of an object, to be stored when what they hold has its rows.
private final class WaitingValues {
  private var values: [(set: (ObjectBase) -> Void, holder: (any ObjectHolder)?)] = []
  private var position = 0
  /// The objects in the value at `position`; nil until they are asked for.
  private var targets: [ObjectBase]?
  private var targetPosition = 0

  func append(_ set: @escaping (ObjectBase) -> Void, _ holder: (any ObjectHolder)?) { values.append((set, holder)) }

  /// Stores the next value, unless an object in it has to take its turn first; true when all are stored.
  ///
  /// - Parameter begin: Gives an object its row; true when something of it is left to do.
  func advance(_ object: ObjectBase, _ begin: (ObjectBase) -> Bool) -> Bool {
    if let holder = values[position].holder {
      let objects = targets ?? holder.unmanagedObjects
      targets = objects
      while targetPosition < objects.count {
        let target = objects[targetPosition]
        targetPosition += 1
        if target._instance == nil, begin(target) { return false }
      }
      targets = nil
      targetPosition = 0
    }
    let set = values[position].set
    position += 1
    set(object)
    return position == values.count
  }
}
