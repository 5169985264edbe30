internal import FirnEngine

extension EffectsApplier {
  /// Gives rows their lists, or changes them.
  mutating func setLists(_ column: CellColumn, of keys: [RowKey], in table: TableID) throws(EffectsError) {
    var cursor = CellCursor(column, in: bytes)
    for key in keys {
      let list = ListPlace(table: table, row: key, column: column.column)
      if cursor.listIsDelta() {
        try changeList(list, &cursor)
        continue
      }
      let count = cursor.count()
      var source = cursor.elements(count: count)
      if writer.listCount(list.column, of: key, in: table) > 0 || count == 0 {
        writer.removeAll(of: list.column, of: key, in: table)
      }
      try insert(count, at: 0, of: list, from: &source)
      cursor.passElements(source)
    }
  }

  /// Does with a list what the next runs say.
  private mutating func changeList(_ list: ListPlace, _ cursor: inout CellCursor) throws(EffectsError) {
    let runCount = cursor.count()
    var runs = cursor
    var oldCount = 0
    var cellCount = 0
    for _ in 0..<runCount {
      let run = cursor.run()
      if run.kind != .insert { oldCount &+= run.count }
      if run.kind == .touch || run.kind == .insert { cellCount &+= run.count }
    }
    let count = writer.listCount(list.column, of: list.row, in: list.table)
    if count != oldCount {
      throw error(list.table, "a list of row \(list.row.rawValue) has \(count) elements instead of \(oldCount)")
    }
    var source = cursor.elements(count: cellCount)
    var position = 0
    for _ in 0..<runCount {
      let run = runs.run()
      switch run.kind {
      case .keep: position &+= run.count
      case .drop: writer.remove(at: position, count: run.count, of: list.column, of: list.row, in: list.table)
      case .touch:
        try replace(run.count, at: position, of: list, from: &source)
        position &+= run.count
      case .insert:
        try insert(run.count, at: position, of: list, from: &source)
        position &+= run.count
      }
    }
    cursor.passElements(source)
  }

  private mutating func insert(
    _ count: Int, at index: Int, of list: ListPlace, from source: inout CellCursor
  ) throws(EffectsError) {
    var done = 0
    while done < count {
      let step = min(count - done, ElementBuffer.countMax)
      try elements.fill(step, from: &source, writer)
      try checkTargets(step, source.format, list)
      elements.withElements { values, nulls in
        writer.insert(
          elements: values, nulls: nulls, count: step, at: index + done, of: list.column, of: list.row, in: list.table)
      }
      done += step
    }
  }

  private mutating func replace(
    _ count: Int, at index: Int, of list: ListPlace, from source: inout CellCursor
  ) throws(EffectsError) {
    for offset in 0..<count {
      try elements.fill(1, from: &source, writer)
      try checkTargets(1, source.format, list)
      elements.withElements { values, nulls in
        writer.replace(
          at: index + offset, withElement: nulls?[0] ?? false ? nil : values, of: list.column, of: list.row,
          in: list.table)
      }
    }
  }

  private mutating func checkTargets(_ count: Int, _ format: CellFormat, _ list: ListPlace) throws(EffectsError) {
    if format.type == .mixed {
      for index in 0..<count { try checkReference(elements.reference(index), list.column, in: list.table) }
    }
    guard format.type == .link else { return }
    for index in 0..<count { try checkTarget(elements.link(index), list.column, in: list.table) }
  }
}

private struct ListPlace {
  var table: TableID
  var row: RowKey
  var column: ColumnID
}

/// Elements on their way into a list, in the form in which lists store them.
struct ElementBuffer {
  private var values: [UInt64] = []
  private var nulls: [Bool] = []
  private var hasNulls = false

  /// More elements than this go into a list piece by piece.
  static var countMax: Int { 4096 }

  /// Reads the next elements. Strings and data become blobs, which the caller puts into a list.
  mutating func fill(_ count: Int, from source: inout CellCursor, _ writer: Writer) throws(EffectsError) {
    let type = source.format.type
    let width = type.width
    hasNulls = source.format.hasNulls
    values.removeAll(keepingCapacity: true)
    values.append(contentsOf: repeatElement(0, count: (count * width + 7) / 8))
    nulls.removeAll(keepingCapacity: true)
    if hasNulls { nulls.append(contentsOf: repeatElement(false, count: count)) }
    values.withUnsafeMutableBytes { values in
      for index in 0..<count {
        if source.nextIsNull() {
          nulls[index] = true
          continue
        }
        let offset = index &* width
        switch type {
        case .bool: values.storeBytes(of: source.bool() ? 1 : 0, toByteOffset: offset, as: UInt8.self)
        case .int: values.storeBytes(of: source.int(), toByteOffset: offset, as: Int64.self)
        case .link: values.storeBytes(of: source.varint() &- 1, toByteOffset: offset, as: UInt64.self)
        case .float: values.storeBytes(of: source.fixed(UInt32.self), toByteOffset: offset, as: UInt32.self)
        case .double, .date: values.storeBytes(of: source.fixed(UInt64.self), toByteOffset: offset, as: UInt64.self)
        case .objectID: values.storeBytes(of: source.fixed(Bytes12.self), toByteOffset: offset, as: Bytes12.self)
        case .uuid, .decimal128:
          values.storeBytes(of: source.fixed(Bytes16.self), toByteOffset: offset, as: Bytes16.self)
        case .string, .data, .mixed:
          values.storeBytes(of: writer.makeBlob(source.bytes()), toByteOffset: offset, as: UInt64.self)
        }
      }
    }
  }

  func link(_ index: Int) -> RowKey { RowKey(values[index]) }

  /// The row that a mixed element leads to.
  func reference(_ index: Int) -> MixedReference? {
    hasNulls && nulls[index] ? nil : Blob(word: values[index]).withBytes { MixedBytes.reference($0) }
  }

  func withElements(_ body: (UnsafeRawPointer, UnsafePointer<Bool>?) -> Void) {
    values.withUnsafeBytes { values in
      guard let base = values.baseAddress else { return }
      nulls.withUnsafeBufferPointer { body(base, hasNulls ? $0.baseAddress : nil) }
    }
  }
}
