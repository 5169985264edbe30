internal import FirnEngine

extension AnyRealmValue: MinMaxType, AddableType {
  /// The order of values of all kinds: none, bools, numbers by value, texts, data, dates, object ids, UUIDs, objects, lists,
  /// dictionaries.
  public static func _precedes(_ lhs: AnyRealmValue, _ rhs: AnyRealmValue) -> Bool {
    lhs.place.order(to: rhs.place) < 0
  }

  public var _isComparable: Bool { self != .none && !place.isNaN }

  public static func _sum(_ values: some Sequence<AnyRealmValue>) -> AnyRealmValue {
    aggregate(.sum, values).flatMap { _result($0) } ?? .none
  }

  public static func _average(_ values: some Sequence<AnyRealmValue>) -> _Constant? { aggregate(.average, values) }

  public var _summand: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): value.isNaN ? nil : Double(value)
    case .double(let value): value.isNaN ? nil : value
    case .decimal128(let value): value._summand
    default: nil
    }
  }

  public static func _result(_ aggregate: _Constant) -> AnyRealmValue? { AnyRealmValue(scalar: aggregate.value) }

  private static func aggregate(_ aggregate: Aggregate, _ values: some Sequence<AnyRealmValue>) -> _Constant? {
    var state = MixedAggregate(aggregate)
    for value in values { state.add(value.place) }
    return state.result == .null ? nil : _Constant(state.result)
  }

  /// Where the value stands among others.
  var place: Value {
    switch self {
    case .list: .list(RowKey(0))
    case .dictionary: .map(RowKey(0))
    default: _constant.value
    }
  }
}
