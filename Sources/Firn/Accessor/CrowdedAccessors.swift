/// The accessors of rows that have many of them, by key. Not thread-safe.
struct CrowdedAccessors {
  private var byKey: [UInt64: Set<UnsafeMutableRawPointer>] = [:]
  private(set) var count = 0

  mutating func insert(_ object: UnsafeMutableRawPointer, _ key: UInt64) {
    byKey[key, default: []].insert(object)
    count += 1
  }

  mutating func remove(_ object: UnsafeMutableRawPointer, _ key: UInt64) {
    guard let place = byKey.index(forKey: key) else { return }
    byKey.values[place].remove(object)
    if byKey.values[place].isEmpty { byKey.remove(at: place) }
    count -= 1
  }

  var all: some Sequence<UnsafeMutableRawPointer> { byKey.values.joined() }

  subscript(key: UInt64) -> Set<UnsafeMutableRawPointer> { byKey[key] ?? [] }
}
