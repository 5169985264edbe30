public import Firn

// Values as elements of collections.

extension ColumnCodable {
  /// Whether the stored forms are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.archivedValue() == rhs.archivedValue() }

  /// Hashes the stored form.
  public func hash(into hasher: inout Hasher) { hasher.combine(archivedValue()) }

  public static var _elementWidth: Int { 8 }

  public static var _ownsElementMemory: Bool { ColumnStorage.ownsMemory(columnType) }

  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    let stored = ColumnStorage.loadElement(columnType, address, source)
    return Self(with: stored) ?? _elementSubstitute(for: stored.plain) { _default() }
  }

  public static func _loadOptionalElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Self? { isNull ? nil : Self(with: ColumnStorage.loadElement(columnType, address, source)) }

  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    var archived = value.archivedValue()
    if let problem = ColumnStorage.problem(archived, columnType, isOptional: false, of: Self.self) {
      target.refuseCommit(problem)
      archived = ColumnStorage.freshValue(columnType)
    }
    return ColumnStorage.storeElement(archived, columnType, address, target)
  }

  public static func _withElementProbe<Result>(_ value: Self, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    let archived = value.archivedValue()
    // What cannot be stored is in no set.
    if ColumnStorage.problem(archived, columnType, isOptional: false, of: Self.self) != nil { return body(nil) }
    return ColumnStorage.withElementProbe(archived, columnType, body)
  }
}

// As close to the type as what the standard library has for raw values, so that enumerations need not choose.
extension ColumnCodable where Self: RawRepresentable, RawValue: Hashable {
  /// Hashes the stored form.
  public func hash(into hasher: inout Hasher) { hasher.combine(archivedValue()) }
}
