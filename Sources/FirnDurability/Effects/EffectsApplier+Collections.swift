internal import FirnEngine

extension EffectsApplier {
  /// Gives rows their lists, sets or maps, or changes them.
  mutating func setCollections(_ column: CellColumn, of keys: [RowKey], in table: TableID) throws(EffectsError) {
    var cursor = CellCursor(column, in: bytes)
    for key in keys {
      let place = CollectionPlace(table: table, row: key, column: column.column, kind: column.format.collection)
      try checkMemory()
      if cursor.isDelta() {
        try change(place, &cursor)
        continue
      }
      let count = cursor.count()
      var names = cursor.passKeys(count)
      var source = cursor.elements(count: count)
      if writer.listCount(place.column, of: key, in: table) > 0 || count == 0 {
        writer.removeAll(of: place.column, of: key, in: table)
      }
      try insert(count, at: 0, of: place, &names, from: &source)
      cursor.passElements(source)
    }
  }

  /// Does with a collection what the next runs say.
  private mutating func change(_ place: CollectionPlace, _ cursor: inout CellCursor) throws(EffectsError) {
    let runCount = cursor.count()
    var runs = cursor
    var oldCount = 0
    var cellCount = 0
    var nameCount = 0
    for _ in 0..<runCount {
      let run = cursor.run()
      if run.kind != .insert { oldCount &+= run.count }
      if run.kind == .touch || run.kind == .insert { cellCount &+= run.count }
      if run.kind == .insert { nameCount &+= run.count }
    }
    let count = writer.listCount(place.column, of: place.row, in: place.table)
    if count != oldCount {
      throw error(
        place.table, "a collection of row \(place.row.rawValue) has \(count) elements instead of \(oldCount)")
    }
    var names = cursor.passKeys(nameCount)
    var source = cursor.elements(count: cellCount)
    var position = 0
    for _ in 0..<runCount {
      let run = runs.run()
      switch run.kind {
      case .keep: position &+= run.count
      case .drop: writer.remove(at: position, count: run.count, of: place.column, of: place.row, in: place.table)
      case .touch:
        try replace(run.count, at: position, of: place, from: &source)
        position &+= run.count
      case .insert:
        try insert(run.count, at: position, of: place, &names, from: &source)
        position &+= run.count
      }
    }
    cursor.passElements(source)
  }

  /// - Parameter names: The keys of the entries of a map.
  private mutating func insert(
    _ count: Int, at index: Int, of place: CollectionPlace, _ names: inout CellCursor, from source: inout CellCursor
  ) throws(EffectsError) {
    if place.kind == .map { return try insertEntries(count, at: index, of: place, &names, from: &source) }
    var done = 0
    while done < count {
      let step = min(count - done, ElementBuffer.countMax)
      try elements.fill(step, from: &source, writer)
      try checkTargets(step, source.format, place)
      elements.withElements { values, nulls in
        writer.insert(
          elements: values, nulls: nulls, count: step, at: index + done, of: place.column, of: place.row,
          in: place.table)
      }
      if place.kind == .set {
        let inserted = (index + done)..<(index + done + step)
        if !writer.contents.setAscends(around: inserted, place.column, of: place.row, in: place.table) {
          throw error(place.table, "the elements of a set of row \(place.row.rawValue) do not ascend")
        }
      }
      done += step
      try checkMemory(linkCount: step)
    }
  }

  private mutating func insertEntries(
    _ count: Int, at index: Int, of place: CollectionPlace, _ names: inout CellCursor, from source: inout CellCursor
  ) throws(EffectsError) {
    for offset in 0..<count {
      try elements.fill(1, from: &source, writer)
      try checkTargets(1, source.format, place)
      let name = names.bytes()
      var isInPlace = false
      elements.withElements { values, nulls in
        isInPlace = writer.insert(
          element: nulls?[0] ?? false ? nil : values, forKey: name, at: index + offset, ofMap: place.column,
          of: place.row, in: place.table)
      }
      if !isInPlace { throw error(place.table, "the keys of a map of row \(place.row.rawValue) do not ascend") }
      try checkMemory(linkCount: 1)
    }
  }

  private mutating func replace(
    _ count: Int, at index: Int, of place: CollectionPlace, from source: inout CellCursor
  ) throws(EffectsError) {
    for offset in 0..<count {
      try elements.fill(1, from: &source, writer)
      try checkTargets(1, source.format, place)
      elements.withElements { values, nulls in
        writer.replace(
          at: index + offset, withElement: nulls?[0] ?? false ? nil : values, of: place.column, of: place.row,
          in: place.table)
      }
      try checkMemory(linkCount: 2)
    }
  }

  private mutating func checkTargets(
    _ count: Int, _ format: CellFormat, _ place: CollectionPlace
  ) throws(EffectsError) {
    if format.type == .mixed {
      for index in 0..<count { try checkReference(elements.reference(index), place.column, in: place.table) }
    }
    guard format.type == .link else { return }
    for index in 0..<count {
      if let target = elements.link(index) { try checkTarget(target, place.column, in: place.table) }
    }
  }
}

private struct CollectionPlace {
  var table: TableID
  var row: RowKey
  var column: ColumnID
  var kind: CollectionKind?
}

/// Elements on their way into a collection, in the form in which collections store them.
struct ElementBuffer {
  private var values: [UInt64] = []
  private var nulls: [Bool] = []
  private var hasNulls = false

  /// More elements than this go into a collection piece by piece.
  static var countMax: Int { 4096 }

  /// Reads the next elements. Strings and data become blobs, which the caller puts into a collection.
  mutating func fill(_ count: Int, from source: inout CellCursor, _ writer: Writer) throws(EffectsError) {
    let type = source.format.type
    let width = type.width
    hasNulls = source.format.hasNulls || (type == .link && source.format.hasNullLinks)
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
        case .link:
          let target = source.link()
          if target == nil { nulls[index] = true }
          values.storeBytes(of: target?.rawValue ?? 0, toByteOffset: offset, as: UInt64.self)
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

  /// The target of a link; nil for null.
  func link(_ index: Int) -> RowKey? { hasNulls && nulls[index] ? nil : RowKey(values[index]) }

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
