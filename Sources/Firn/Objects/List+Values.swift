internal import FirnEngine

extension List: DescribedList, UnmanagedList, ManagedListIdentity {
  var describedType: String { "List<\(describedName(of: Element.self))>" }
  var describedCount: Int { count }
  var nests: Bool { Element.self == AnyRealmValue.self }
  func describedElement(at index: Int) -> Any { self[index] }

  func replace(with elements: [UnmanagedElement]) -> Int? {
    let new = Element._make(elements)
    if new.count < elements.count { return new.count }
    removeAll()
    append(objectsIn: new)
    return nil
  }

  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { _owner }
}
