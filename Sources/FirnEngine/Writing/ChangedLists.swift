/// What happened to the collections of one table's rows in the running transaction.
///
/// The one that is being changed is kept beside the others, so that the next change of it looks nothing up.
struct ChangedLists {
  private var others: [ListID: ListDeltaRecorder] = [:]
  private var currentID: ListID?
  /// The collection that `start` was called for last.
  var current = ListDeltaRecorder(count: 0)

  var isEmpty: Bool { currentID == nil && others.isEmpty }

  /// Makes a collection the current one.
  ///
  /// - Parameter count: Its elements, asked for when nothing happened to it yet.
  @inline(__always)
  mutating func start(_ id: ListID, count: () -> Int) {
    if currentID != id { change(to: id, count) }
  }

  @inline(never)
  private mutating func change(to id: ListID, _ count: () -> Int) {
    settle()
    currentID = id
    current = others.removeValue(forKey: id) ?? ListDeltaRecorder(count: count())
  }

  /// Each collection, and what happened to it.
  mutating func all() -> [ListID: ListDeltaRecorder] {
    settle()
    return others
  }

  mutating func removeAll() { self = ChangedLists() }

  private mutating func settle() {
    if let currentID { others[currentID] = current }
    currentID = nil
  }
}
