import FirnEngine

extension GraphModelRun {
  /// Changes a set or a map of a row, like an array that is kept sorted.
  mutating func changeGrouping(_ writer: Writer) {
    let table = GraphModelSchema.grouping
    guard let key = randomKey(table) else { return }
    let column = 1 + random.below(44)
    for _ in 0..<(1 + random.below(12)) {
      note("grouping \(key) \(column)")
      if model.columns(table)[column].collection == .set {
        changeSet(writer, key, column)
      } else {
        changeMap(writer, key, column)
      }
    }
  }

  private mutating func changeSet(_ writer: Writer, _ key: UInt64, _ column: Int) {
    let table = GraphModelSchema.grouping
    let (id, row) = (ColumnID(column), RowKey(key))
    let elements = model.tables[table.index][key]!.lists[column]!
    switch random.below(100) {
    case 0..<55:
      guard let value = randomElement(column) else { return }
      let isNew = insert(value, key, column)
      if writer.insert(value, intoSet: id, of: row, in: table) != isNew { fatalError("insert told \(!isNew)") }
    case 55..<70:
      let values = (0..<random.below(40)).compactMap { _ in randomElement(column) }
      for value in values { _ = insert(value, key, column) }
      insert(values, writer, id, row, table)
    case 70..<80:
      guard let value = randomElement(column) else { return }
      let index = elements.firstIndex { $0.order(to: value) == 0 }
      if let index {
        model.tables[table.index][key]!.lists[column]!.remove(at: index)
        wrote(table, key, column)
      }
      let isGone = writer.remove(value, fromSet: id, of: row, in: table)
      if isGone != (index != nil) { fatalError("remove told \(isGone)") }
    case 80..<97 where !elements.isEmpty:
      let index = random.below(elements.count)
      writer.remove(at: index, of: id, of: row, in: table)
      model.tables[table.index][key]!.lists[column]!.remove(at: index)
      wrote(table, key, column)
    case 97...:
      writer.removeAll(of: id, of: row, in: table)
      model.tables[table.index][key]!.lists[column] = []
      wrote(table, key, column)
    default: break
    }
  }

  /// Inserts into the model; whether the element was absent.
  private mutating func insert(_ value: Value, _ key: UInt64, _ column: Int) -> Bool {
    let table = GraphModelSchema.grouping
    let elements = model.tables[table.index][key]!.lists[column]!
    if elements.contains(where: { $0.order(to: value) == 0 }) { return false }
    let index = elements.firstIndex { $0.order(to: value) > 0 } ?? elements.count
    model.tables[table.index][key]!.lists[column]!.insert(value, at: index)
    wrote(table, key, column)
    return true
  }

  /// Inserts many elements at once, in the form in which they are stored.
  private func insert(_ values: [Value], _ writer: Writer, _ id: ColumnID, _ row: RowKey, _ table: TableID) {
    let width = writer.layout.tables[table.index].listShape(id.index).width
    let isNullable = model.columns(table)[id.index].isNullable
    var bytes: [UInt8] = []
    for value in values {
      switch value {
      case .string(let text), .data(let text):
        let word = text.withUnsafeBytes { writer.makeBlob($0) }
        withUnsafeBytes(of: word) { bytes += $0 }
      default:
        value.withStoredElement { element in
          if let element {
            bytes += UnsafeRawBufferPointer(start: element, count: width)
          } else {
            bytes += Array(repeating: 77, count: width)
          }
        }
      }
    }
    let nulls = values.map { $0 == .null }
    (bytes + [0]).withUnsafeBytes { bytes in
      nulls.withUnsafeBufferPointer { nulls in
        writer.insert(
          elements: bytes.baseAddress!, nulls: isNullable ? nulls.baseAddress : nil, count: values.count, intoSet: id,
          of: row, in: table)
      }
    }
  }

  private mutating func randomElement(_ column: Int) -> Value? {
    let description = model.columns(GraphModelSchema.grouping)[column]
    let value = randomValue(description)
    return value == .null && !description.isNullable ? nil : value
  }

  private mutating func changeMap(_ writer: Writer, _ key: UInt64, _ column: Int) {
    let table = GraphModelSchema.grouping
    let (id, row) = (ColumnID(column), RowKey(key))
    let names = model.tables[table.index][key]!.names[column]!
    let number = random.below(30)
    let name = Array((number == 0 ? "" : number % 5 == 0 ? "a key that is long \(number)" : "k\(number)").utf8)
    let index = names.firstIndex(of: name)
    switch random.below(100) {
    case 0..<65:
      guard let value = randomElement(column) else { return }
      let isNew = writer.set(value, forKey: name, ofMap: id, of: row, in: table)
      if isNew != (index == nil) { fatalError("set told \(isNew)") }
      if let index {
        model.tables[table.index][key]!.lists[column]![index] = value
      } else {
        let place = names.firstIndex { name.lexicographicallyPrecedes($0) } ?? names.count
        model.tables[table.index][key]!.names[column]!.insert(name, at: place)
        model.tables[table.index][key]!.lists[column]!.insert(value, at: place)
      }
    case 65..<85:
      let isGone = name.withUnsafeBytes { writer.removeValue(forKey: $0, ofMap: id, of: row, in: table) }
      if isGone != (index != nil) { fatalError("remove told \(isGone)") }
      guard let index else { return }
      model.tables[table.index][key]!.names[column]!.remove(at: index)
      model.tables[table.index][key]!.lists[column]!.remove(at: index)
    case 85..<97 where names.count > 1:
      let start = random.below(names.count)
      let range = start..<(start + random.below(names.count - start + 1))
      if range.isEmpty { return }
      writer.remove(at: range.lowerBound, count: range.count, of: id, of: row, in: table)
      model.tables[table.index][key]!.names[column]!.removeSubrange(range)
      model.tables[table.index][key]!.lists[column]!.removeSubrange(range)
    case 97...:
      writer.removeAll(of: id, of: row, in: table)
      model.tables[table.index][key]!.names[column] = []
      model.tables[table.index][key]!.lists[column] = []
    default: return
    }
    wrote(table, key, column)
  }
}
