internal import FirnEngine

/// Aggregates over values of any type that no column holds. Nulls and NaN are passed over.
enum StoredAggregate {
  /// What a property of some elements comes to, nil for the extreme or average of nothing. Traps for a property that has
  /// no such aggregate.
  static func result<Element: RealmCollectionValue, T: _AggregateResult>(
    _ aggregate: Aggregate, of property: String, in elements: [Element]
  ) -> T? {
    let value = result(
      aggregate, of: ElementValues.named(property, in: elements), property,
      in: Elements(Element.self, first: elements.first))
    return value == .null ? nil : T._result(_Constant(value))
  }

  /// What has the property.
  enum Elements {
    case objects(ClassModel)
    case values(isMixed: Bool)

    /// - Parameter first: One of them, if there is one: it tells the class of a ``DynamicObject``.
    init<Element: RealmCollectionValue>(_ type: Element.Type, first: Element?) {
      let object = first.flatMap { Unwrapping.value($0) as? ObjectBase }
      if let model = object?._model ?? Element._elementShape.target.map({ ClassModel.of($0) }) {
        self = .objects(model)
      } else {
        self = .values(isMixed: Element._elementShape.type == .any)
      }
    }

    /// Whether the property may be a value of any kind.
    func isMixed(_ property: String) -> Bool {
      switch self {
      case .objects(let model): model.properties.contains { $0.name == property && $0.shape.type == .any }
      case .values(let isMixed): isMixed
      }
    }
  }

  /// What the values of a property come to: null for the extreme or average of nothing, zero for its sum.
  static func result(_ aggregate: Aggregate, of values: [Any], _ property: String, in elements: Elements) -> Value {
    let isMixed = elements.isMixed(property)
    var state = MixedAggregate(aggregate)
    var (wrapping, exact, real, count) = (Int64(0), Int128(0), 0.0, 0)
    var kinds: Set<Kind> = []
    for value in values {
      guard let value = stored(value, property, isMixed: isMixed), value != .null, !value.isNaN else { continue }
      state.add(value)
      if isMixed { continue }
      kinds.insert(kind(of: value, aggregate, property))
      count += 1
      switch value {
      case .int(let int):
        wrapping &+= int
        exact += Int128(int)
      case .float(let float): real += Double(float)
      case .double(let double): real += double
      default: break
      }
    }
    if isMixed { return state.result }
    switch (aggregate, kinds) {
    case (.sum, []): return .int(0)
    case (.sum, [.int]): return .int(wrapping)
    case (.sum, [.real]): return .double(real)
    case (.average, [.int]): return .double(Double(exact) / Double(count))
    case (.average, [.real]): return .double(real / Double(count))
    default: return state.result
    }
  }

  private enum Kind {
    case int, real, other
  }

  /// Nil for null; traps for what is no single value.
  private static func stored(_ value: Any, _ property: String, isMixed: Bool) -> Value? {
    guard let value = Unwrapping.value(value) else { return nil }
    if isMixed { return AnyRealmValue.given(value)?.place }
    guard let operand = value as? any _QueryOperand else {
      fatalError("An aggregate is not supported for property '\(property)' of type '\(type(of: value))'.")
    }
    return operand._constant.value
  }

  private static func kind(of value: Value, _ aggregate: Aggregate, _ property: String) -> Kind {
    switch value {
    case .int: return .int
    case .float, .double: return .real
    case .decimal128: return .other
    case .date where aggregate == .min || aggregate == .max: return .other
    default: fatalError("'\(aggregate)' is not supported for property '\(property)': it is neither number nor date.")
    }
  }
}
