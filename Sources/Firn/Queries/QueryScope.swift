internal import CFirn
internal import FirnEngine

/// Finds the columns that key paths stand for in a store.
struct QueryScope {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// The columns that a key path leads through from a table.
  struct Path: Sendable {
    var columns: [ColumnID]
    var name: String
    /// The table that the last column links to, or -1.
    var target: Int

    var last: ColumnID { columns[columns.count - 1] }
  }

  func path(_ keyPath: AnyKeyPath, _ type: ObjectBase.Type, _ table: Int) -> Path {
    if let known = store.keyPaths.withLock({ $0[keyPath, table] }) { return known }
    let path = resolve(StoreSchema.propertyNames(of: keyPath, on: type), type, table)
    store.keyPaths.withLock {
      $0[keyPath, table] = path
      if path.columns.count == 1, path.target < 0 { store.ownColumns.insert(keyPath, table, path.last) }
    }
    return path
  }

  private func resolve(_ names: [String], _ type: ObjectBase.Type, _ table: Int) -> Path {
    if names.isEmpty {
      fatalError("A query on '\(type.className())' uses a property that is not persisted.")
    }
    var path = Path(columns: [], name: names.joined(separator: "."), target: table)
    for name in names {
      guard path.target >= 0,
        let column = store.schema.tables[path.target].columns.firstIndex(where: { $0.name == name })
      else { fatalError("Class '\(type.className())' has no property '\(name)' that could be used in a query.") }
      let description = store.schema.tables[path.target].columns[column]
      if let collection = description.collection {
        fatalError(
          "Property '\(type.className()).\(name)' is a \(collection), which queries do not support yet. Compare the other "
            + "properties in `where`, and filter what is left in Swift.")
      }
      path.columns.append(ColumnID(column))
      path.target = description.target?.index ?? -1
    }
    return path
  }
}

/// What key paths stand for, by identity: equal key paths are the same object if they are written in the same place.
struct KeyPathCache {
  private var paths: [Key: (keyPath: AnyKeyPath, path: QueryScope.Path)] = [:]

  private struct Key: Hashable {
    let keyPath: ObjectIdentifier
    let table: Int
  }

  subscript(keyPath: AnyKeyPath, table: Int) -> QueryScope.Path? {
    get { paths[Key(keyPath: ObjectIdentifier(keyPath), table: table)]?.path }
    set {
      // Key paths made at run time are new objects each time.
      if paths.count >= 4096 { paths.removeAll() }
      paths[Key(keyPath: ObjectIdentifier(keyPath), table: table)] = newValue.map { (keyPath, $0) }
    }
  }
}

/// Which columns key paths to properties of a class itself stand for. Read without a lock; never forgets, and takes in no
/// more than there is room for.
final class OwnColumns: @unchecked Sendable {
  // State      guarded by
  // words      the key path's word is atomic and stored last; writers exclude each other
  //
  // Pairs of words: the address of a retained key path, or 0; table and column. An address of a key path that is kept
  // is not given to another one.

  private static let capacity = 256
  private static let probeCount = 8
  private let words: UnsafeMutablePointer<UInt64>

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

  subscript(keyPath: AnyKeyPath, table: Int) -> ColumnID? {
    let address = Self.address(keyPath)
    var place = Self.home(address)
    for _ in 0..<Self.probeCount {
      let found = firn_atomic_load_acquire(words + 2 &* place)
      if found == 0 { return nil }
      let word = words[2 &* place &+ 1]
      if found == address, word &>> 16 == UInt64(truncatingIfNeeded: table) {
        return ColumnID(Int(truncatingIfNeeded: word & 0xffff))
      }
      place = (place &+ 1) & (Self.capacity &- 1)
    }
    return nil
  }

  /// One thread at a time.
  func insert(_ keyPath: AnyKeyPath, _ table: Int, _ column: ColumnID) {
    if self[keyPath, table] != nil { return }
    let address = Self.address(keyPath)
    var place = Self.home(address)
    for _ in 0..<Self.probeCount {
      if words[2 * place] == 0 {
        words[2 * place + 1] = UInt64(table) << 16 | UInt64(column.index)
        _ = Unmanaged.passRetained(keyPath)
        firn_atomic_store_release(words + 2 * place, address)
        return
      }
      place = (place + 1) & (Self.capacity - 1)
    }
  }
}
