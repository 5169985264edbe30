internal import FirnEngine
internal import Foundation

extension RealmInstance {
  /// The object with a primary key.
  func find<Key>(_ key: Key, _ handle: TableHandle, _ type: ColumnType) -> ObjectBase? {
    if _slowPath(tracking != nil) { noteLookUp(Self.keyValue(key, type), handle) }
    if isFrozen || isHomeForReading {
      if _slowPath(isReleased) { openVersion() }
      let contents = GraphContents(root: rootForReading, layout: store.graph.layout)
      guard let location = locate(key, handle, type, contents) else { return nil }
      return handle.make(location.key, at: location, .keyed)
    }
    return handle.accessorAway { locate(key, handle, type, $0)?.key }
  }

  /// The row with a primary key. Traps for a key of another type.
  func locate<Key>(_ key: Key, _ handle: TableHandle, _ type: ColumnType, _ contents: GraphContents) -> RowLocation? {
    if type == .int {
      // The common cases without boxing.
      if let key = key as? Int { return contents.find(IntKey(Int64(key)), in: handle.table) }
    } else if type == .string, var key = key as? String {
      return key.withUTF8 { contents.find(BytesKey(UnsafeRawBufferPointer($0)), in: handle.table) }
    }
    guard let value = Self.keyValue(key, type) else {
      fatalError(
        "Invalid value '\(key)' of type '\(Key.self)' for the primary key of '\(handle.model.name)', "
          + "which is of type \(type).")
    }
    return contents.find(primaryKey: value, in: handle.table)
  }

  private static func keyValue(_ key: Any, _ type: ColumnType) -> Value? {
    if let optional = key as? any OptionalProtocol, optional.isNil { return .null }
    if let custom = key as? any _HasStoredForm { return keyValue(custom._storedForm, type) }
    if let enumeration = key as? any RawRepresentable { return keyValue(enumeration.rawValue, type) }
    switch (type, key) {
    case (.int, let key as any FixedWidthInteger): return Int64(exactly: key).map { .int($0) }
    case (.bool, let key as Bool): return .bool(key)
    case (.string, let key as String): return Value(key)
    case (.uuid, let key as UUID): return .uuid(key.bytes16)
    case (.objectID, let key as ObjectId): return .objectID(key.bytes)
    default: return key is NSNull ? .null : nil
    }
  }
}

/// An optional of any kind.
public protocol OptionalProtocol {
  /// The type of the value.
  associatedtype Wrapped
  /// Whether there is no value.
  var isNil: Bool { get }
}

extension Optional: OptionalProtocol {
  public var isNil: Bool { self == nil }
}
