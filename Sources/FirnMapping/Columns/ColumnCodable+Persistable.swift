public import Firn

extension ColumnCodable {
  public static func _default() -> Self {
    guard let value = Self(with: ColumnStorage.freshValue(columnType)) else {
      fatalError("Failed to default construct a \(Self.self). Give the property a default value, or make it optional.")
    }
    return value
  }

  public static var _shape: _PropertyShape {
    var shape = ColumnStorage.shape(columnType)
    shape.converted = Self.self
    return shape
  }

  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? {
    if columnType == .null {
      return "has type '\(Self.self)' with columnType null, which stores nothing. Choose another columnType."
    }
    if hasInitialValue || isOptional || Self(with: ColumnStorage.freshValue(columnType)) != nil { return nil }
    return "has type '\(Self.self)', which cannot be made from an empty value. Give it a default or make it optional."
  }

  // MARK: Reading

  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let stored = ColumnStorage.read(columnType, object, slot)
    return Self(with: stored) ?? _replacement(stored, object, slot)
  }

  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Self {
    if object._noteTrace(slot) { return object._declaredDefault(slot, as: Self.self) ?? _default() }
    let stored = ColumnStorage.readAway(columnType, object, slot)
    return Self(with: stored) ?? _replacement(stored, object, slot)
  }

  private static func _replacement(_ stored: Value, _ object: ObjectBase, _ slot: UInt64) -> Self {
    object._substitute(for: stored.plain, slot, as: Self.self) ?? _default()
  }

  // MARK: Writing

  public static func _set(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    let archived = value.archivedValue()
    if let problem = ColumnStorage.problem(archived, columnType, isOptional: false, of: Self.self) {
      object._refuseCommit(slot, problem)
    } else {
      ColumnStorage.set(archived, columnType, on: object, slot)
    }
  }

  public static func _insert(_ value: Self, into row: _NewRow, _ column: Int) {
    let archived = value.archivedValue()
    if let problem = ColumnStorage.problem(archived, columnType, isOptional: false, of: Self.self) {
      row.refuseCommit(column, problem)
    } else {
      ColumnStorage.insert(archived, columnType, into: row, column)
    }
  }

  public static func _make(_ stored: _StoredValue) -> Self? {
    ColumnStorage.make(stored, columnType).flatMap { Self(with: $0) }
  }

  // MARK: Optionals

  public static var _optionalShape: _PropertyShape { _shape.optional }

  public static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    let stored = ColumnStorage.read(columnType, object, slot)
    return stored.type == .null ? nil : Self(with: stored)
  }

  public static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    let stored = ColumnStorage.readAway(columnType, object, slot)
    return stored.type == .null ? nil : Self(with: stored)
  }

  public static func _storeOptional(
    _ value: Self?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { false }

  public static func _setOptional(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    let archived = value?.archivedValue() ?? Value(nil)
    if let problem = ColumnStorage.problem(archived, columnType, isOptional: true, of: Self.self) {
      object._refuseCommit(slot, problem)
    } else {
      ColumnStorage.set(archived, columnType, on: object, slot)
    }
  }

  public static func _insertOptional(_ value: Self?, into row: _NewRow, _ column: Int) {
    let archived = value?.archivedValue() ?? Value(nil)
    if let problem = ColumnStorage.problem(archived, columnType, isOptional: true, of: Self.self) {
      row.refuseCommit(column, problem)
    } else {
      ColumnStorage.insert(archived, columnType, into: row, column)
    }
  }

  public static func _setOptionalAfterInsert(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {}

  // MARK: Other forms

  public var _storedForm: Any { archivedValue().plain }

  public var _constant: _Constant { archivedValue().constant }
}
