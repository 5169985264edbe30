/// What happened to the collections of one table's rows in the running transaction.
///
/// The one that is being changed is kept beside the others, so that the next change of it looks nothing up.
struct ChangedLists {
  private var others: [ListID: ListDeltaRecorder] = [:]
  private var currentID: ListID?
  /// The collection that `start` was called for last.
  var current = ListDeltaRecorder(count: 0)

  var isEmpty: Bool { currentID == nil }

  @inline(__always)
  func isCurrent(_ id: ListID) -> Bool { currentID == id }

  /// Makes a collection the current one.
  ///
  /// - Parameter count: Its elements, asked for when nothing happened to it yet.
  mutating func start(_ id: ListID, count: () -> Int) {
    if let currentID { others[currentID] = current }
    currentID = id
    current = others.removeValue(forKey: id) ?? ListDeltaRecorder(count: count())
  }

  mutating func removeAll() {
    others.removeAll()
    currentID = nil
    current = ListDeltaRecorder(count: 0)
  }

  /// Each collection, and what happened to it.
  var all: [ListID: ListDeltaRecorder] {
    var all = others
    if let currentID { all[currentID] = current }
    return all
  }
}
