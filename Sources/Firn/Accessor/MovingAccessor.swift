public import FirnEngine
internal import Synchronization

/// Hands out the objects of an iteration over a list: the same accessor again, pointed at the next row, as long as nobody
/// else can see it, else a new one. See `AccessorReuse`.
///
/// Belongs to one iteration, on the home thread of a live realm.
@usableFromInline
package final class MovingAccessor {
  private let table: TableHandle
  private let reader: RealmReader
  @usableFromInline let context: UnsafeRawPointer
  /// The accessor handed out last, retained; `nothing` at first.
  @exclusivity(unchecked) @usableFromInline var last = MovingAccessor.nothing
  /// The cluster of the row handed out last and its first key, valid while `epoch` is the context's; it is dense.
  @exclusivity(unchecked) @usableFromInline var cluster: UnsafeRawPointer
  @exclusivity(unchecked) @usableFromInline var base: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var epoch: UInt64 = 0

  /// Looks like an object that is in use.
  private static nonisolated(unsafe) let nothing: UnsafeMutableRawPointer = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    return memory
  }()

  /// Nil where accessors cannot be moved: away from home, in frozen realms, for classes whose instances have more to them.
  init?(_ table: TableHandle) {
    guard !table.isFrozen, table.reader.isHomeForReading, table.canReuse else { return nil }
    self.table = table
    reader = table.reader
    context = UnsafeRawPointer(table.context)
    cluster = context
  }

  deinit { letGo() }

  @inlinable @inline(__always)
  func accessor(_ key: UInt64) -> ObjectBase {
    let slot = key &- base
    if _fastPath(
      slot < 256 && epoch == context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
        && AccessorReuse.isUnobserved(last, AccessorReuse.uniqueWord)),
      Cluster.bit(cluster, Cluster.liveOffset, Int(truncatingIfNeeded: slot))
    {
      return moved(key, cluster, Int(truncatingIfNeeded: slot))
    }
    return accessorElsewhere(key)
  }

  /// Points the accessor, which nobody else sees, at a row.
  @inlinable @inline(__always)
  func moved(_ key: UInt64, _ cluster: UnsafeRawPointer, _ slot: Int) -> ObjectBase {
    AccessorReuse.retainUnobserved(last, AccessorReuse.sharedWord)
    let object = Unmanaged<ObjectBase>.fromOpaque(last).takeRetainedValue()
    object._cluster = cluster
    object._slot = UInt32(truncatingIfNeeded: slot)
    object._key = key
    object._epoch = epoch
    return object
  }

  @usableFromInline @inline(never)
  func accessorElsewhere(_ key: UInt64) -> ObjectBase {
    var isFree = AccessorReuse.isUnobserved(last, AccessorReuse.uniqueWord)
    if isFree, Unmanaged<ObjectBase>.fromOpaque(last)._withUnsafeGuaranteedRef({ $0._lastValues != nil }) {
      // It stays with its row. It goes before the next row is located, since its `deinit` may write.
      letGo()
      isFree = false
    }
    let root = context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    let location = Directory.locate(VersionRoot.table(root, table.layout.index), key)
    guard let location, reader.isHomeForReading else { return table.accessor(RowKey(key)) }
    epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
    cluster = location.cluster
    // No key is in reach of a cluster whose slots are not its keys.
    base = Cluster.offsets(cluster) == nil ? Cluster.base(cluster) : key &+ 1
    if isFree { return moved(key, location.cluster, location.slot) }
    let object = table.make(RowKey(key), at: location, .moving)
    letGo()
    last = Unmanaged.passRetained(object).toOpaque()
    return object
  }

  /// Whoever holds the accessor keeps it at its row from now on.
  private func letGo() {
    if last == Self.nothing { return }
    let object = Unmanaged<ObjectBase>.fromOpaque(last)
    last = Self.nothing
    object._withUnsafeGuaranteedRef { table.accessors.settle($0) }
    object.release()
  }
}
