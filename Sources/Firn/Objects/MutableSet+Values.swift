internal import FirnEngine

extension MutableSet: DescribedList, UnmanagedList, ManagedListIdentity {
  var nests: Bool { false }
  var describedType: String { "MutableSet<\(describedName(of: Element.self))>" }
  var describedCount: Int { count }
  func describedElement(at index: Int) -> Any { self[index] }

  func replace(with elements: [UnmanagedElement]) -> Int? {
    let new = Element._make(elements)
    if new.count < elements.count { return new.count }
    removeAll()
    insert(objectsIn: new)
    return nil
  }

  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { _owner }
}
