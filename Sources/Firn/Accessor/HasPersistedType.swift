/// A type with a stored form.
public protocol _HasPersistedType: _ObjcBridgeable, _QueryOperand, _AggregateResult {
  /// What is stored for a value of the type: the raw value of an enumeration, what a custom type is made from, else the
  /// type itself.
  associatedtype PersistedType

  /// What is wrong with a property of the type in a model class, as the end of a sentence that begins with the property;
  /// nil when nothing is.
  static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String?
  /// Whether there is a value for a property that is declared without one.
  static var _hasDefault: Bool { get }
}

extension _HasPersistedType {
  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? { nil }
  public static var _hasDefault: Bool { true }

  /// Types without an order and a sum are no result of aggregates.
  public static func _result(_ aggregate: _Constant) -> Self? { nil }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public typealias PersistedType = Wrapped.PersistedType?

  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? {
    Wrapped._declarationProblem(hasInitialValue: hasInitialValue, isOptional: true)
  }
}
