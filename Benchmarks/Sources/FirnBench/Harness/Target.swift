/// What Firn is to reach in a workload.
enum Target {
  /// Firn ÷ plain Swift in the same run. Independent of the machine.
  case ratio(atMost: Double)
  /// The same for rates, where more is better.
  case ratio(atLeast: Double)
  /// Firn's own figure, on a quiet machine.
  case figure(atMost: Double)

  /// Nil if what the target needs was not measured.
  func isMet(firn: Double?, plain: Double?) -> Bool? {
    guard let firn else { return nil }
    switch self {
    case .ratio(atMost: let limit): return plain.map { firn <= limit * $0 }
    case .ratio(atLeast: let limit): return plain.map { firn >= limit * $0 }
    case .figure(atMost: let limit): return firn <= limit
    }
  }

  func formatted(in unit: Unit) -> String {
    switch self {
    case .ratio(atMost: let limit): "≤ \(limit.shortest)"
    case .ratio(atLeast: let limit): "≥ \(limit.shortest)"
    case .figure(atMost: let limit): "≤ \(unit.formatted(limit))"
    }
  }
}

extension Double {
  /// Without a fraction that is zero.
  fileprivate var shortest: String {
    self == rounded() ? String(Int(self)) : String(self)
  }
}
