/// An enumeration that is stored as its raw value.
///
///     enum Status: String, PersistableEnum {
///         case scheduled, departed, cancelled
///     }
///
/// A property without initial value starts with the first case. A stored raw value that no case has (written by a newer
/// program, say) reads as nil in an optional property. In a required one it reads as the initial value of the declaration,
/// or else as the first case, and is logged once.
///
/// Cases are in the order of their raw values.
public protocol PersistableEnum: _PersistableScalar, _PersistableInsideOptional, RawRepresentable, CaseIterable,
  Hashable, Comparable, MinMaxType, _RealmCollectionValueInsideOptional, _QueryOrdered, _AggregateResult
where
  RawValue: Comparable & _PersistableScalar & _PersistableInsideOptional & _RealmCollectionValueInsideOptional
    & _QueryOperand,
  PersistedType == RawValue
{}

extension PersistableEnum {
  /// The first case.
  public init() { self = Self._default() }

  /// Compares the raw values.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  @inlinable
  public static func _default() -> Self { allCases.first.unsafelyUnwrapped }

  public static var _shape: _PropertyShape {
    var shape = RawValue._shape
    shape.converted = Self.self
    return shape
  }

  public static func _make(_ stored: _StoredValue) -> Self? {
    RawValue._make(stored).flatMap { Self(rawValue: $0) }
  }

  @inlinable
  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self {
    let raw = RawValue._load(cluster, row, slot, object, root)
    return Self(rawValue: raw) ?? _unknown(raw, object, slot)
  }

  @inlinable
  public static func _loadOptional(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self? { RawValue._loadOptional(cluster, row, slot, object, root).flatMap { Self(rawValue: $0) } }

  @inlinable
  public static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    RawValue._readOptional(object, slot).flatMap { Self(rawValue: $0) }
  }

  @inlinable
  public static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    RawValue._readOptionalAway(object, slot).flatMap { Self(rawValue: $0) }
  }

  @inlinable
  public static func _write(_ value: Self, to cell: _Cell) { RawValue._write(value.rawValue, to: cell) }

  @inlinable
  public static func _insert(_ value: Self, into row: _NewRow, _ column: Int) {
    RawValue._insert(value.rawValue, into: row, column)
  }

  /// What an element is read as that no case stands for.
  @usableFromInline
  static func _unknown(_ raw: RawValue) -> Self {
    Log.once("unknown raw value of \(Self.self)") {
      "The stored raw value '\(raw)' is not a case of \(Self.self); it reads as the default of its property."
    }
    return _default()
  }

  /// What a property is read as whose stored value no case stands for.
  @usableFromInline
  static func _unknown(_ raw: RawValue, _ object: ObjectBase, _ slot: UInt64) -> Self {
    let first = _unknown(raw)
    return object._declaredDefault(slot, as: Self.self) ?? first
  }

  public static func _result(_ aggregate: _Constant) -> Self? {
    RawValue._result(aggregate).flatMap { Self(rawValue: $0) }
  }
}
