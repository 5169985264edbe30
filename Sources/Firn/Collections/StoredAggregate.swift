internal import FirnEngine

/// Aggregates over values of any type that no column holds. Nulls and NaN are passed over.
enum StoredAggregate {
  /// What a property of some elements comes to, nil for the extreme or average of nothing. Traps for a property that has
  /// no such aggregate.
  static func result<Element: RealmCollectionValue, T: _AggregateResult>(
    _ aggregate: Aggregate, of property: String, in elements: [Element]
  ) -> T? {
    var value = result(aggregate, of: ElementValues.named(property, in: elements), first: elements.first, property)
    if aggregate == .sum, T.self == AnyRealmValue.self, value == .int(0) { value = MixedAggregate(.sum).result }
    return value == .null ? nil : T._result(_Constant(value))
  }

  /// What the values of a property come to: null for the extreme or average of nothing, zero for its sum.
  ///
  /// - Parameter first: The first of the elements that have the property.
  static func result(_ aggregate: Aggregate, of values: [Any], first: Any?, _ property: String) -> Value {
    let isMixed = first.map { self.isMixed(property, of: $0) } ?? false
    var state = MixedAggregate(aggregate)
    var (wrapping, exact, real, count) = (Int64(0), Int128(0), 0.0, 0)
    var kinds: Set<Kind> = []
    for value in values {
      guard let value = stored(value, property), value != .null, !value.isNaN else { continue }
      kinds.insert(isMixed ? .other : kind(of: value, aggregate, property))
      state.add(value)
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
  private static func stored(_ value: Any, _ property: String) -> Value? {
    guard let value = Unwrapping.value(value) else { return nil }
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

  /// Whether the property may be a value of any kind.
  private static func isMixed(_ property: String, of element: Any) -> Bool {
    guard let object = Unwrapping.value(element) as? ObjectBase else { return element is AnyRealmValue }
    return object._model.properties.contains { $0.name == property && $0.shape.type == .any }
  }
}
