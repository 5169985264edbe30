internal import FirnEngine
internal import Foundation

extension AnyRealmValue {
  /// A stored value. Objects and collections are those that the calling thread sees of the realm.
  ///
  /// - Parameter isDynamic: Whether objects, also those in collections, come by name only.
  init(_ stored: Value, in instance: RealmInstance, isDynamic: Bool) {
    let layout = instance.store.graph.layout
    switch stored {
    case .object(let number, let key):
      let handle = instance.handle(numbered: number, isDynamic: isDynamic)
      let object = handle.flatMap { instance.object(key, $0) } as? Object
      self = object.map { AnyRealmValue.object($0) } ?? AnyRealmValue.none
    case .list(let key):
      let list = Self.bound(List<AnyRealmValue>(), layout.nestedLists, key, instance, isDynamic)
      self = list.map { AnyRealmValue.list($0) } ?? AnyRealmValue.none
    case .map(let key):
      let map = Self.bound(Map<String, AnyRealmValue>(), layout.nestedMaps, key, instance, isDynamic)
      self = map.map { AnyRealmValue.dictionary($0) } ?? AnyRealmValue.none
    default: self.init(scalar: stored)
    }
  }

  /// A stored value that leads nowhere.
  init(scalar stored: Value) {
    switch stored {
    case .null, .link, .object, .list, .map: self = .none
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int(value))
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .data(let bytes): self = .data(Data(bytes))
    case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .objectID(let bytes): self = .objectId(ObjectId(bytes))
    case .decimal128(let bits): self = .decimal128(Decimal128(bits))
    case .uuid(let bytes): self = .uuid(UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self)))
    }
  }

  private static func bound<Nested: CollectionBase>(
    _ collection: Nested, _ table: TableID?, _ key: RowKey, _ instance: RealmInstance, _ isDynamic: Bool
  ) -> Nested? {
    guard let table else { return nil }
    let handle = instance.handle(table.index, isDynamic: isDynamic)
    collection._bind(instance, handle, key.rawValue, handle.slot(TableDescription.nestedColumn.index))
    return collection
  }

  /// The value as a realm stores it: unmanaged objects are added, collections copied.
  func stored(in instance: RealmInstance, _ writer: Writer) -> Value {
    var copy = NestedCopy<Never>(writer) { instance.reference(to: $0) }
    return copy.copy(self)
  }

  /// The stored form of a value that leads nowhere.
  var scalar: Value {
    switch self {
    case .none: return .null
    case .int(let value): return .int(Int64(value))
    case .bool(let value): return .bool(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .string(let value): return Value(value)
    case .data(let value): return .data(Array(value))
    case .date(let value): return .date(value.timeIntervalSinceReferenceDate)
    case .objectId(let value): return .objectID(value.bytes)
    case .decimal128(let value): return .decimal128(value.bits)
    case .uuid(let value): return .uuid(value.bytes16)
    case .object, .list, .dictionary: fatalError("Objects and collections are more than a single value.")
    }
  }

  var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }

}

extension AnyRealmValue: MayReferToObjects {
  var waitsForRow: Bool {
    if case .object = self { return true }
    return isCollection
  }
}

extension RealmInstance {
  /// The stored form of an object in a mixed value; an unmanaged one is added.
  func reference(to object: Object) -> Value {
    let table = object._instance === self ? object._table : nil
    return .object((table ?? requireHandle(type(of: object))).layout.number, rowToLink(object))
  }

  /// An object by its row, for any thread; nil when it is gone.
  func object(_ key: RowKey, _ handle: TableHandle) -> ObjectBase? {
    if isFrozen || isHomeForReading {
      return read { $0.contains(key, in: handle.table) } ? handle.accessor(key) : nil
    }
    return handle.accessorAway { $0.contains(key, in: handle.table) ? key : nil }
  }
}

extension Value {
  /// What equals no stored value: a link to a table that no schema has.
  static var neverStored: Value { .object(0, RowKey(0)) }
}
