internal import FirnEngine

extension List: DescribedList, UnmanagedList, ManagedListIdentity {
  var describedType: String { "List<\(Element._describedName)>" }
  var describedCount: Int { count }
  var nests: Bool { Element.self == AnyRealmValue.self }
  func describedElement(at index: Int) -> Any { self[index] }

  func replace(with elements: [UnmanagedElement]) -> Bool {
    guard let new = Element._make(elements) else { return false }
    removeAll()
    append(objectsIn: new)
    return true
  }

  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { _owner }
}
