internal import FirnEngine

extension List {
  /// The list as it is now, for use on any thread; never changes.
  ///
  /// Traps for an unmanaged list. - Complexity: O(1).
  public func freeze() -> List<Element> { _frozen() }

  /// The live list that a frozen one was made from, for the current thread; nil when its object is gone.
  ///
  /// A live list returns itself. Traps for an unmanaged list.
  public func thaw() -> List<Element>? { _thawed() }
}

extension Realm {
  /// Deletes the objects in a list. The list is empty afterwards.
  ///
  /// Traps outside of a write transaction and for a list of another realm.
  public func delete<Element: ObjectBase>(
    _ objects: List<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    let site = CallSite(function: "Realm.delete", file: file, line: line)
    guard let owner = objects._instance, owner === instance, let target = objects._target else {
      trapForDeletion(ofAll: type(of: objects), site)
    }
    let writer = requireWriter(site)
    var keys: [RowKey] = []
    var seen: Set<UInt64> = []
    objects._withRoot { root in
      ListTree.forEach(root, as: UInt64.self, List<Element>._listShape) { key in
        if seen.insert(key).inserted { keys.append(RowKey(key)) }
      }
    }
    instance.delete(keys, target, writer)
  }
}
