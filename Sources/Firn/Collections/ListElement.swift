public import FirnEngine
public import Foundation

/// How a value lies in a managed list. Not to be conformed to directly; see ``RealmCollectionValue``.
public protocol _ListElement {
  /// What the schema says of a single element.
  static var _elementShape: _PropertyShape { get }
  /// The bytes an element takes.
  static var _elementWidth: Int { get }
  static var _isNullableElement: Bool { get }
  /// Whether a collection of a kind that holds nulls may give one of these for a null.
  static var _mayReadNull: Bool { get }
  /// Whether the stored form refers to memory of the list, so that a copy of the bytes is no copy of the element.
  static var _ownsElementMemory: Bool { get }
  /// Whether elements are objects, or projections of objects.
  static var _isLinkElement: Bool { get }
  /// Whether elements are projections, of which queries make a new one for each access.
  static var _isProjection: Bool { get }

  /// The element of a query that stands for an object: the object, or its projection.
  static func _element(of object: ObjectBase) -> Self
  static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self
  static func _loadOptionalElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self?
  /// Stores the bytes of an element; false for null.
  static func _storeElement(_ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget) -> Bool
  /// Calls `body` with the element as sets look it up: its stored bytes, nil for null. Not for objects.
  static func _withElementProbe<Result>(_ value: Self, _ body: (UnsafeRawPointer?) -> Result) -> Result
  /// Equality as managed collections see it: strings by their bytes, objects by their row.
  static func _isSameElement(_ lhs: Self, _ rhs: Self) -> Bool
  /// Equality as unmanaged collections see it: the same, and objects also by their own equality.
  static func _isEqualElement(_ lhs: Self, _ rhs: Self) -> Bool
}

/// A value whose optional a collection may hold, too. Not to be conformed to directly.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue {}

/// What reading a stored element needs besides its bytes.
public struct _ElementSource {
  /// The table of objects in the list; nil for other elements.
  @usableFromInline package let table: TableHandle?
  /// The accessor that an iteration hands out; nil outside of one.
  @usableFromInline package let mover: MovingAccessor?

  @usableFromInline
  package init(table: TableHandle?, mover: MovingAccessor?) {
    self.table = table
    self.mover = mover
  }
}

/// What storing an element needs besides its value.
public struct _ElementTarget {
  /// Nil when a probe is made, which stores nothing.
  private let destination: (writer: Writer, instance: RealmInstance)?
  /// The table of objects in the list; nil for other elements.
  let table: TableHandle?

  init(writer: Writer, instance: RealmInstance, table: TableHandle?) {
    destination = (writer, instance)
    self.table = table
  }

  /// For elements whose stored form is their own bytes.
  @usableFromInline
  init() {
    destination = nil
    table = nil
  }

  var writer: Writer { destination.unsafelyUnwrapped.writer }
  var instance: RealmInstance { destination.unsafelyUnwrapped.instance }
}

extension _ListElement {
  public static var _isNullableElement: Bool {
    @inlinable @inline(__always) get { false }
  }
  public static var _mayReadNull: Bool {
    @inlinable @inline(__always) get { _isNullableElement }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { false }
  }
  public static var _isLinkElement: Bool {
    @inlinable @inline(__always) get { false }
  }
  public static var _isProjection: Bool {
    @inlinable @inline(__always) get { false }
  }

  @inlinable @inline(__always)
  public static func _element(of object: ObjectBase) -> Self { unsafeBitCast(object, to: Self.self) }

  @inlinable @inline(__always)
  public static func _loadOptionalElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Self? { isNull ? nil : _loadElement(address, false, source) }

  @inlinable
  public static func _isEqualElement(_ lhs: Self, _ rhs: Self) -> Bool { _isSameElement(lhs, rhs) }

  @inlinable
  public static func _withElementProbe<Result>(_ value: Self, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    if _ownsElementMemory { return ElementProbe.withBytes(of: value, body) }
    var bytes: (UInt64, UInt64) = (0, 0)
    return withUnsafeMutableBytes(of: &bytes) { bytes in
      let address = bytes.baseAddress.unsafelyUnwrapped
      return body(_storeElement(value, address, _ElementTarget()) ? UnsafeRawPointer(address) : nil)
    }
  }
}

/// The stored form of texts and data that are looked for.
@usableFromInline
enum ElementProbe {
  @usableFromInline
  static func withBytes<Element, Result>(of value: Element, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    guard let constant = (value as? any _QueryOperand)?._constant else {
      fatalError("Type '\(Element.self)' cannot be looked for in a MutableSet.")
    }
    if var string = constant.string { return string.withUTF8 { withBlob(UnsafeRawBufferPointer($0), body) } }
    switch constant.value {
    case .string(let bytes), .data(let bytes): return bytes.withUnsafeBytes { withBlob($0, body) }
    default: return body(nil)
    }
  }

  @usableFromInline
  static func withBlob<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    Blob.withTemporary(bytes) { word in withUnsafeBytes(of: word) { body($0.baseAddress) } }
  }
}

extension _ListElement where Self: Equatable {
  @inlinable
  public static func _isSameElement(_ lhs: Self, _ rhs: Self) -> Bool { lhs == rhs }
}

extension _ListElement where Self: _Persistable {
  public static var _elementShape: _PropertyShape { _shape }
}

// MARK: - Scalars

extension _PersistableInteger {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 8 }
  }

  @inlinable @inline(__always)
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    Self(address.loadUnaligned(as: Int64.self))
  }

  @inlinable @inline(__always)
  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: Int64(value), as: Int64.self)
    return true
  }
}

extension Int: _RealmCollectionValueInsideOptional {}
extension Int8: _RealmCollectionValueInsideOptional {}
extension Int16: _RealmCollectionValueInsideOptional {}
extension Int32: _RealmCollectionValueInsideOptional {}
extension Int64: _RealmCollectionValueInsideOptional {}

extension Bool: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 1 }
  }

  @inlinable @inline(__always)
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Bool {
    address.loadUnaligned(as: Bool.self)
  }

  @inlinable @inline(__always)
  public static func _storeElement(
    _ value: Bool, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: value, as: Bool.self)
    return true
  }
}

extension _PersistableFixed {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { MemoryLayout<_Stored>.size }
  }

  @inlinable @inline(__always)
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    _value(of: address.loadUnaligned(as: _Stored.self))
  }

  @inlinable @inline(__always)
  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: value._stored, as: _Stored.self)
    return true
  }
}

extension Float: _RealmCollectionValueInsideOptional {}
extension Double: _RealmCollectionValueInsideOptional {}
extension Date: _RealmCollectionValueInsideOptional {}
extension UUID: _RealmCollectionValueInsideOptional {}

extension String: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 8 }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { true }
  }

  @inlinable
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> String {
    Blob(word: address.loadUnaligned(as: UInt64.self)).withBytes { String(decoding: $0, as: UTF8.self) }
  }

  public static func _storeElement(
    _ value: String, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    var value = value
    let word = value.withUTF8 { target.writer.makeBlob(UnsafeRawBufferPointer($0)) }
    address.storeBytes(of: word, as: UInt64.self)
    return true
  }

  public static func _withElementProbe<Result>(_ value: String, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    var value = value
    return value.withUTF8 { ElementProbe.withBlob(UnsafeRawBufferPointer($0), body) }
  }

  public static func _isSameElement(_ lhs: String, _ rhs: String) -> Bool { lhs.utf8.elementsEqual(rhs.utf8) }
}

extension Data: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 8 }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { true }
  }

  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Data {
    Blob(word: address.loadUnaligned(as: UInt64.self)).withBytes { Data($0) }
  }

  public static func _storeElement(
    _ value: Data, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    let word = value.withUnsafeBytes { target.writer.makeBlob($0) }
    address.storeBytes(of: word, as: UInt64.self)
    return true
  }

  public static func _withElementProbe<Result>(_ value: Data, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    value.withUnsafeBytes { ElementProbe.withBlob($0, body) }
  }
}

extension PersistableEnum where RawValue: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { RawValue._elementWidth }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { RawValue._ownsElementMemory }
  }

  @inlinable
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    let raw = RawValue._loadElement(address, isNull, source)
    return Self(rawValue: raw) ?? _unknown(raw)
  }

  @inlinable
  public static func _loadOptionalElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Self? { isNull ? nil : Self(rawValue: RawValue._loadElement(address, false, source)) }

  @inlinable
  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool { RawValue._storeElement(value.rawValue, address, target) }

  @inlinable
  public static func _withElementProbe<Result>(_ value: Self, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    RawValue._withElementProbe(value.rawValue, body)
  }
}

extension Optional: _ListElement where Wrapped: _RealmCollectionValueInsideOptional {
  public static var _elementShape: _PropertyShape { Wrapped._elementShape.optional }
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { Wrapped._elementWidth }
  }
  public static var _isNullableElement: Bool {
    @inlinable @inline(__always) get { true }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { Wrapped._ownsElementMemory }
  }

  @inlinable @inline(__always)
  public static func _loadElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Wrapped? { Wrapped._loadOptionalElement(address, isNull, source) }

  @inlinable @inline(__always)
  public static func _storeElement(
    _ value: Wrapped?, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    guard let value else { return false }
    return Wrapped._storeElement(value, address, target)
  }

  public static var _isLinkElement: Bool {
    @inlinable @inline(__always) get { Wrapped._isLinkElement }
  }

  @inlinable
  public static func _withElementProbe<Result>(_ value: Wrapped?, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    guard let value else { return body(nil) }
    return Wrapped._withElementProbe(value, body)
  }

  @inlinable
  public static func _isSameElement(_ lhs: Wrapped?, _ rhs: Wrapped?) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    return Wrapped._isSameElement(lhs, rhs)
  }

  @inlinable
  public static func _isEqualElement(_ lhs: Wrapped?, _ rhs: Wrapped?) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    return Wrapped._isEqualElement(lhs, rhs)
  }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {}

// MARK: - Objects

extension Object: _RealmCollectionValueInsideOptional {}

extension _ListElement where Self: ObjectBase {
  public static var _elementShape: _PropertyShape { _PropertyShape(.object, target: Self.self) }
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 8 }
  }
  public static var _isLinkElement: Bool {
    @inlinable @inline(__always) get { true }
  }

  @inlinable @inline(__always)
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    let key = address.loadUnaligned(as: UInt64.self)
    if let mover = source.mover { return unsafeDowncast(mover.accessor(key), to: Self.self) }
    return unsafeDowncast(source.table.unsafelyUnwrapped._accessor(key), to: Self.self)
  }

  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: target.key(of: value), as: UInt64.self)
    return true
  }

  public static func _isSameElement(_ lhs: Self, _ rhs: Self) -> Bool { ObjectBase._isSameRow(lhs, rhs) }
  public static func _isEqualElement(_ lhs: Self, _ rhs: Self) -> Bool { _isSameElement(lhs, rhs) || lhs == rhs }
}

extension ObjectBase {
  /// Whether two objects stand for one row; unmanaged ones only for themselves.
  static func _isSameRow(_ lhs: ObjectBase, _ rhs: ObjectBase) -> Bool {
    if lhs === rhs { return true }
    guard let instance = lhs._instance, instance === rhs._instance else { return false }
    return lhs._key == rhs._key && lhs._table?.layout === rhs._table?.layout
  }
}

extension TableHandle {
  @usableFromInline
  func _accessor(_ key: UInt64) -> ObjectBase { accessor(RowKey(key)) }
}

extension _ElementTarget {
  /// The row of an object that goes into a list; an unmanaged object is added first.
  func key(of object: ObjectBase) -> UInt64 {
    let table = table.unsafelyUnwrapped
    if object._table === table, !table.layout.isOwned, object._lastValues == nil,
      object._epoch == RealmContext.word(table.context, RealmContext.epochOffset).pointee
    {
      // The cache is fresh, so the row exists.
      return object._key
    }
    if type(of: object) != table.model.type, object._model !== table.model {
      if !table.layout.isOwned, let key = instance.linkableCounterpart(of: object, in: table) { return key.rawValue }
      fatalError("Object of type '\(object._modelName)' does not match List type '\(table.model.name)'.")
    }
    return instance.rowToLink(object).rawValue
  }
}
