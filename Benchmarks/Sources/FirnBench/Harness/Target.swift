/// What Firn is to reach in a workload.
enum Target {
  /// Firn ÷ plain Swift in the same run. Independent of the machine.
  case ratioAtMost(Double)
  /// The same for rates, where more is better.
  case ratioAtLeast(Double)
  /// Firn's own figure, on a quiet machine.
  case figureAtMost(Double)

  /// Nil if what the target needs was not measured.
  func isMet(firn: Double?, plain: Double?) -> Bool? {
    guard let firn else { return nil }
    switch self {
    case .ratioAtMost(let limit): return plain.map { firn <= limit * $0 }
    case .ratioAtLeast(let limit): return plain.map { firn >= limit * $0 }
    case .figureAtMost(let limit): return firn <= limit
    }
  }

  func formatted(in unit: Unit) -> String {
    switch self {
    case .ratioAtMost(let limit): "≤ \(limit.shortest)"
    case .ratioAtLeast(let limit): "≥ \(limit.shortest)"
    case .figureAtMost(let limit): "≤ \(unit.formatted(limit))"
    }
  }
}

extension Double {
  /// Without a fraction that is zero.
  fileprivate var shortest: String {
    self == rounded() ? String(Int(self)) : String(self)
  }
}
