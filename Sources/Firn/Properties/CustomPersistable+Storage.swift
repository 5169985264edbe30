/// What ``CustomPersistable``, ``FailableCustomPersistable`` and ``PersistableRawRepresentable`` have in common. Conform to
/// one of these instead.
public protocol _CustomPersistable: _Persistable, _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
  _QueryOperand, _AggregateResult, _HasStoredForm, Hashable
where PersistedType: _PersistedForm {
  static func _fromPersisted(_ value: PersistedType) -> Self?
  var persistableValue: PersistedType { get }
}

// Inlinable, so that they are specialised for the types of other modules.
extension _CustomPersistable {
  @inlinable
  public static func _default() -> Self { _fromPersisted(PersistedType._freshValue()) ?? _failedDefault() }

  public static var _shape: _PropertyShape { PersistedType._customShape(Self.self) }

  // MARK: Reading

  @inlinable
  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let stored = PersistedType._customRead(object, slot)
    if let stored, let value = _fromPersisted(stored) { return value }
    return _replacement(stored, object, slot)
  }

  @inlinable
  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Self {
    if object._noteTrace(slot) { return _placeholder(object, slot) }
    let stored = PersistedType._customReadAway(object, slot)
    if let stored, let value = _fromPersisted(stored) { return value }
    return _replacement(stored, object, slot)
  }

  /// What is read in place of a null or of a stored value that cannot be converted.
  @usableFromInline
  static func _replacement(_ stored: PersistedType?, _ object: ObjectBase, _ slot: UInt64) -> Self {
    guard let stored else { return _placeholder(object, slot) }
    if let value = object._substitute(for: stored, slot, as: Self.self) ?? _fromPersisted(PersistedType._freshValue()) {
      return value
    }
    fatalError(
      "Failed to convert persisted value '\(stored)' to type '\(Self.self)' in a non-optional context. Give the "
        + "property a default value, or make it optional.")
  }

  /// Some value of the type, the default if there is one.
  @usableFromInline
  static func _placeholder(_ object: ObjectBase, _ slot: UInt64) -> Self {
    _fromPersisted(PersistedType._freshValue()) ?? object._declaredDefault(slot, as: Self.self) ?? _failedDefault()
  }

  public static var _hasDefault: Bool { _fromPersisted(PersistedType._freshValue()) != nil }

  @usableFromInline
  static func _failedDefault() -> Self {
    fatalError(
      "Failed to default construct a \(Self.self) from the default value of \(PersistedType.self). Give the property a "
        + "default value, or make it optional.")
  }

  // MARK: Writing

  @inlinable
  public static func _set(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    PersistedType._customSet(value.persistableValue, on: object, slot)
  }

  @inlinable
  public static func _insert(_ value: Self, into row: _NewRow, _ column: Int) {
    PersistedType._insertOptional(value.persistableValue, into: row, column)
  }

  @inlinable
  public static func _setAfterInsert(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    PersistedType._setOptionalAfterInsert(value.persistableValue, on: object, slot)
  }

  public static func _make(_ stored: _StoredValue) -> Self? {
    guard let type = PersistedType.self as? any _Persistable.Type else { return nil }
    return (type._make(stored) as? PersistedType).flatMap { _fromPersisted($0) }
  }

  // MARK: Optionals

  public static var _optionalShape: _PropertyShape { _shape.optional }

  @inlinable
  public static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    PersistedType._customRead(object, slot).flatMap { _fromPersisted($0) }
  }

  @inlinable
  public static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    if object._noteTrace(slot) { return _fromPersisted(PersistedType._freshValue()) }
    return PersistedType._customReadAway(object, slot).flatMap { _fromPersisted($0) }
  }

  @inlinable
  public static func _storeOptional(
    _ value: Self?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { false }

  @inlinable
  public static func _setOptional(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    PersistedType._customSet(value?.persistableValue, on: object, slot)
  }

  @inlinable
  public static func _insertOptional(_ value: Self?, into row: _NewRow, _ column: Int) {
    PersistedType._insertOptional(value?.persistableValue, into: row, column)
  }

  @inlinable
  public static func _setOptionalAfterInsert(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    PersistedType._setOptionalAfterInsert(value?.persistableValue, on: object, slot)
  }

  // MARK: Queries

  public var _constant: _Constant { persistableValue._constant }

  public static func _result(_ aggregate: _Constant) -> Self? {
    PersistedType._result(aggregate).flatMap { _fromPersisted($0) }
  }
}

// MARK: - Elements of collections

extension _CustomPersistable {
  public static var _elementShape: _PropertyShape {
    var shape = _shape
    shape.isOptional = false
    return shape
  }
  public static var _mayReadNull: Bool {
    @inlinable @inline(__always) get { PersistedType._isLinkElement }
  }
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { PersistedType._elementWidth }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { PersistedType._ownsElementMemory }
  }
  public static var _isLinkElement: Bool {
    @inlinable @inline(__always) get { PersistedType._isLinkElement }
  }

  @inlinable
  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    if isNull { return _default() }
    let stored = PersistedType._customLoadElement(address, source)
    return _fromPersisted(stored) ?? _elementReplacement(stored)
  }

  @inlinable
  public static func _loadOptionalElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Self? { isNull ? nil : _fromPersisted(PersistedType._customLoadElement(address, source)) }

  /// What is read in place of an element that cannot be converted.
  @usableFromInline
  static func _elementReplacement(_ stored: PersistedType) -> Self {
    Log.once("stored element of \(Self.self)") {
      "The stored element '\(stored)' cannot be converted to \(Self.self); it reads as the type's default."
    }
    if let value = _fromPersisted(PersistedType._freshValue()) { return value }
    fatalError(
      "Could not convert value '\(stored)' to type '\(Self.self)' in a collection of non-optional elements. Make the "
        + "elements optional.")
  }

  @inlinable
  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool { PersistedType._storeElement(value.persistableValue, address, target) }

  @inlinable
  public static func _withElementProbe<Result>(_ value: Self, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    PersistedType._withElementProbe(value.persistableValue, body)
  }
}

extension ObjectBase {
  /// Notes the property when a key path is being traced: whether one is.
  @usableFromInline
  package final func _noteTrace(_ slot: UInt64) -> Bool {
    guard let trace = _instance?.trace else { return false }
    trace.note(PropertySlot.column(slot), of: self)
    return true
  }

  /// The declared initial value in place of a stored value that cannot be converted, which is logged once for its type.
  package final func _substitute<Value: _Persistable>(
    for stored: Any, _ slot: UInt64, as type: Value.Type
  ) -> Value? {
    Log.once("stored value of \(Value.self)") {
      "The stored value '\(stored)' cannot be converted to \(Value.self); it reads as the default of its property."
    }
    return _declaredDefault(slot, as: type)
  }

  /// The initial value that the declaration of a property gives to new objects; nil when there is none.
  @usableFromInline
  package final func _declaredDefault<Value: _Persistable>(_ slot: UInt64, as type: Value.Type) -> Value? {
    guard let table = _table else { return nil }
    let property = table.model.properties[PropertySlot.column(slot)]
    guard property.value == type else { return nil }
    let twin = table.model.type.init()
    return withExtendedLifetime(twin) {
      let wrapper = Unmanaged.passUnretained(twin).toOpaque() + property.offset
      return wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.value
    }
  }
}
