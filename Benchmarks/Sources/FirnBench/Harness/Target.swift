/// What Firn is to reach in a workload.
enum Target {
  /// Firn ÷ plain Swift in the same run. Independent of the machine.
  case ratioAtMost(Double)
  /// The same for rates, where more is better.
  case ratioAtLeast(Double)
  /// Firn's own figure, on a quiet machine.
  case figureAtMost(Double)
  /// Firn's own figure ÷ one that its passes measured beside it, by label.
  case asideRatioAtMost(Double, String)
  /// The same for rates.
  case asideRatioAtLeast(Double, String)
  /// The figure is information.
  case none

  /// Nil if what the target needs was not measured.
  func isMet(firn: Double?, plain: Double?, asides: [Sample.Aside]) -> Bool? {
    guard let firn else { return nil }
    func aside(_ label: String) -> Double? { asides.first { $0.label == label }?.value }
    switch self {
    case .asideRatioAtMost(let limit, let label): return aside(label).map { firn <= limit * $0 }
    case .asideRatioAtLeast(let limit, let label): return aside(label).map { firn >= limit * $0 }
    case .none: return nil
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
    case .asideRatioAtMost(let limit, let label): "≤ \(limit.shortest) × \(label)"
    case .asideRatioAtLeast(let limit, let label): "≥ \(limit.shortest) × \(label)"
    case .none: "–"
    }
  }
}

extension Double {
  /// Without a fraction that is zero.
  fileprivate var shortest: String {
    self == rounded() ? String(Int(self)) : String(self)
  }
}
