internal import CFirn
internal import FirnEngine
internal import Synchronization

/// Hands out the objects of an iteration: the same accessor again, pointed at the next row, as long as nobody else can
/// see it, else a new one. See `AccessorReuse`.
///
/// Belongs to one iteration, on the home thread of a live realm.
@usableFromInline
package final class MovingAccessor {
  private let table: TableHandle
  private let instance: RealmInstance
  /// The accessor handed out last, retained.
  private var last: UnsafeMutableRawPointer?

  /// Nil where accessors cannot be moved: away from home, in frozen realms, for classes whose instances have more to them.
  init?(_ table: TableHandle) {
    guard !table.isFrozen, table.instance.isHomeForReading, table.canReuse else { return nil }
    self.table = table
    instance = table.instance
  }

  deinit { letGo() }

  @usableFromInline
  func accessor(_ key: UInt64) -> ObjectBase {
    let context = table.context
    let root = context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    let location = Directory.locate(VersionRoot.table(root, table.layout.index), key)
    guard let location, instance.isHomeForReading else { return table.accessor(RowKey(key)) }
    if let last, AccessorReuse.isUnobserved(last, AccessorReuse.uniqueWord) {
      let target = Unmanaged<ObjectBase>.fromOpaque(last)
      let isMoved = target._withUnsafeGuaranteedRef { object in
        if object._lastValues != nil { return false }
        AccessorReuse.retainUnobserved(last, AccessorReuse.sharedWord)
        object._cluster = location.cluster
        object._slot = UInt32(truncatingIfNeeded: location.slot)
        object._key = key
        object._epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
        return true
      }
      if isMoved { return target.takeRetainedValue() }
    }
    letGo()
    let object = table.make(RowKey(key), at: location, .moving)
    last = Unmanaged.passRetained(object).toOpaque()
    return object
  }

  /// Whoever holds the accessor keeps it at its row from now on.
  private func letGo() {
    guard let last else { return }
    self.last = nil
    let object = Unmanaged<ObjectBase>.fromOpaque(last)
    object._withUnsafeGuaranteedRef { table.accessors.settle($0) }
    object.release()
  }
}
