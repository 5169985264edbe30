internal import CFirn
internal import FirnEngine

/// A column of a class itself, and what the property is called.
struct OwnColumn: Equatable {
  var column: ColumnID
  var name: PropertyName
}

/// Which columns key paths to properties of a class itself stand for. Read without a lock; never forgets, and takes in no
/// more than there is room for.
final class OwnColumns: @unchecked Sendable {
  // State      guarded by
  // words      the key path's word is atomic and stored last; writers hold `writing`
  //
  // Pairs of words: the address of a retained key path, or 0; name, table and column. An address of a key path that is
  // kept is not given to another one.

  private static let capacity = 256
  private static let probeCount = 8
  private let words: UnsafeMutablePointer<UInt64>
  private let writing = Lock(0)

  init() {
    words = .allocate(capacity: 2 * Self.capacity)
    words.initialize(repeating: 0, count: 2 * Self.capacity)
  }

  deinit {
    for place in 0..<Self.capacity {
      if let address = UnsafeRawPointer(bitPattern: UInt(words[2 * place])) {
        Unmanaged<AnyKeyPath>.fromOpaque(address).release()
      }
    }
    words.deallocate()
  }

  private static func address(_ keyPath: AnyKeyPath) -> UInt64 {
    UInt64(UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque()))
  }

  private static func home(_ address: UInt64) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 40) & (capacity - 1)
  }

  subscript(keyPath: AnyKeyPath, table: Int) -> OwnColumn? {
    let address = Self.address(keyPath)
    var place = Self.home(address)
    for _ in 0..<Self.probeCount {
      let found = firn_atomic_load_acquire(words + 2 &* place)
      if found == 0 { return nil }
      let word = words[2 &* place &+ 1]
      if found == address, word &>> 16 & 0xffff == UInt64(truncatingIfNeeded: table) {
        return OwnColumn(
          column: ColumnID(Int(truncatingIfNeeded: word & 0xffff)),
          name: PropertyName(number: UInt32(truncatingIfNeeded: word &>> 32)))
      }
      place = (place &+ 1) & (Self.capacity &- 1)
    }
    return nil
  }

  func insert(_ keyPath: AnyKeyPath, _ table: Int, _ column: OwnColumn) {
    writing.withLock { _ in
      if self[keyPath, table] != nil { return }
      let address = Self.address(keyPath)
      var place = Self.home(address)
      for _ in 0..<Self.probeCount {
        if words[2 * place] == 0 {
          words[2 * place + 1] = UInt64(column.name.number) << 32 | UInt64(table) << 16 | UInt64(column.column.index)
          _ = Unmanaged.passRetained(keyPath)
          firn_atomic_store_release(words + 2 * place, address)
          return
        }
        place = (place + 1) & (Self.capacity - 1)
      }
    }
  }
}
