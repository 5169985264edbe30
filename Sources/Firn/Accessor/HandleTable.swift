internal import CFirn

/// The table handles of a realm, by table. Filled from any thread; what is in stays until the realm is gone.
struct HandleTable: @unchecked Sendable {
  // State     guarded by
  // words     atomic: each is set once, from 0 to a retained handle

  let count: Int
  private let words: UnsafeMutablePointer<UInt64>

  init(count: Int) {
    self.count = count
    words = .allocate(capacity: max(1, count))
    words.initialize(repeating: 0, count: count)
  }

  @inline(__always)
  subscript(table: Int) -> TableHandle? {
    let word = UInt(truncatingIfNeeded: firn_atomic_load_acquire(words + table))
    return UnsafeRawPointer(bitPattern: word).map { Unmanaged<TableHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether nobody has asked for a handle yet.
  var isEmpty: Bool { (0..<count).allSatisfy { firn_atomic_load_acquire(words + $0) == 0 } }

  /// Puts a handle in, unless another thread has been faster. The one that is in.
  func set(_ table: Int, _ handle: TableHandle) -> TableHandle {
    let retained = Unmanaged.passRetained(handle)
    let word = UInt64(UInt(bitPattern: retained.toOpaque()))
    if firn_atomic_compare_exchange_seq_cst(words + table, 0, word) { return handle }
    retained.release()
    return self[table].unsafelyUnwrapped
  }

  func deallocate() {
    for table in 0..<count {
      let word = UInt(truncatingIfNeeded: words[table])
      if let address = UnsafeRawPointer(bitPattern: word) { Unmanaged<TableHandle>.fromOpaque(address).release() }
    }
    words.deallocate()
  }
}
