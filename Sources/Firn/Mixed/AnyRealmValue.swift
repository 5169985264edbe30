internal import FirnEngine
public import Foundation

/// A value of one of many types, as a property or an element of a collection holds it.
///
///     class Reading: Object {
///         @Persisted var value: AnyRealmValue
///         @Persisted var history: List<AnyRealmValue>
///     }
///
///     reading.value = .int(5)
///     reading.value = .object(sensor)
///     reading.value = .fromArray([.string("a"), .fromArray([.int(1)])])
///
/// A property is never optional: its null is ``none``, which is also what it starts with.
///
/// An object can be of any class in the realm's schema. Storing an unmanaged one adds it; when it is deleted, the value
/// becomes ``none``.
///
/// Storing a collection copies its content, at any depth up to a hundred levels; the instance that was given stays what it
/// was. Reading the value again gives a managed collection: a live part of the object, until something else is stored in
/// its place. It is invalidated then.
///
/// In Swift values are equal when case and payload are, so that `.int(1) != .double(1)`. Conditions of queries compare
/// numbers of all kinds by their value.
public enum AnyRealmValue {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A truth value, which is no number.
  case bool(Bool)
  /// A number in single precision.
  case float(Float)
  /// A number in double precision.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A point in time.
  case date(Date)
  /// A link to an object of any class of the schema.
  case object(Object)
  /// An object id.
  case objectId(ObjectId)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// Values by key. See the type's description for what storing and reading one means.
  case dictionary(Map<String, AnyRealmValue>)
  /// Values by position. See the type's description for what storing and reading one means.
  case list(List<AnyRealmValue>)

  /// Makes ``none``.
  public init() { self = .none }

  /// A dictionary of values, unmanaged.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map.updateValue(value, forKey: key) }
    return .dictionary(map)
  }

  /// A list of values, unmanaged.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }
}

// MARK: - Payloads

extension AnyRealmValue {
  /// The payload of ``int(_:)``, else nil. Nothing is converted.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

  /// The payload of ``bool(_:)``, else nil. Nothing is converted.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The payload of ``float(_:)``, else nil. Nothing is converted.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }

  /// The payload of ``double(_:)``, else nil. Nothing is converted.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }

  /// The payload of ``string(_:)``, else nil.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The payload of ``data(_:)``, else nil.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

  /// The payload of ``date(_:)``, else nil.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }

  /// The payload of ``objectId(_:)``, else nil.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }

  /// The payload of ``decimal128(_:)``, else nil. Nothing is converted.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }

  /// The payload of ``uuid(_:)``, else nil.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The payload of ``dictionary(_:)``, else nil.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The payload of ``list(_:)``, else nil.
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The payload of ``object(_:)``, if it is of a class, else nil.
  public func object<T: Object>(_ objectType: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }

  /// The object, by name and whatever its class; nil for other kinds, and for an object that is unmanaged or deleted.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    if let object = object as? DynamicObject { return object }
    guard let instance = object._instance, let table = object._table else { return nil }
    let handle = instance.handle(table.layout.index, isDynamic: true)
    return instance.object(RowKey(object._key), handle) as? DynamicObject
  }

  /// What is inside, whatever its type; nil for ``none``.
  var payload: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }
}

extension AnyRealmValue: Hashable {
  /// Whether case and payload are equal: collections as ``List`` tells, objects when they stand for the same row.
  public static func == (lhs: AnyRealmValue, rhs: AnyRealmValue) -> Bool {
    switch (lhs, rhs) {
    case (.none, .none): true
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.float(let left), .float(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.objectId(let left), .objectId(let right)): left == right
    case (.decimal128(let left), .decimal128(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// By payload; all dictionaries hash alike, and all lists.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .dictionary: hasher.combine(12)
    case .list: hasher.combine(13)
    }
  }
}
