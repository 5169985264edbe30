internal import FirnEngine

extension List: DescribedList, UnmanagedList, ManagedListIdentity {
  var describedType: String { "List<\(_typeName(Element.self, qualified: false))>" }
  var describedCount: Int { count }
  var nests: Bool { Element.self == AnyRealmValue.self }
  func describedElement(at index: Int) -> Any { self[index] }

  func replace(with elements: [UnmanagedElement]) -> Bool {
    var new: [Element] = []
    for element in elements {
      let value: Any?
      switch element {
      case .scalar(let stored): value = (Element.self as? any _Persistable.Type)?._make(stored)
      case .object(let object): value = object
      }
      guard let value, let element = value as? Element else { return false }
      new.append(element)
    }
    removeAll()
    append(objectsIn: new)
    return true
  }

  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? {
    guard _instance != nil, let table = _table else { return nil }
    return (table, RowKey(_key), _column)
  }
}
