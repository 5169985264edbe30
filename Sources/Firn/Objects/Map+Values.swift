internal import FirnEngine

extension Map: DescribedMap, UnmanagedMap, AnyMap, ManagedListIdentity {
  var nests: Bool { Value.self == AnyRealmValue.self }
  var describedType: String { "Map<string, \(describedName(of: Value.self))>" }

  var anyEntries: [(key: String, value: Any)] { entries.map { ($0.key._mapKey, $0.value as Any) } }

  var valueShape: _PropertyShape? { Value._elementShape }

  func replace(with entries: [(key: String, value: UnmanagedElement)]) -> Int? {
    let values = Value._make(entries.map(\.value))
    if values.count < entries.count { return values.count }
    removeAll()
    for (entry, value) in zip(entries, values) { updateValue(value, forKey: Key(_mapKey: entry.key)) }
    return nil
  }

  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { _owner }
}
