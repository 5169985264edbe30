/// A predicate after its constants were brought into stored form and everything that is certain was folded away.
indirect enum ConditionDraft {
  case constant(Bool)
  case all([ConditionDraft])
  case any([ConditionDraft])
  case not(ConditionDraft)
  /// `equalTo` lists the constants when the test is a plain equality, in the type of the column.
  case test(ColumnTest, equalTo: [Value])
  case columns(ResolvedPath, Comparison, ResolvedPath)
  /// What is looked at row by row. `equalTo` lists the constants when it is an equality of the column that `of` leads to.
  case check(RowCheck, cost: Int, of: ResolvedPath?, equalTo: [Value])

  /// Whether a place lies in a region.
  case within(ResolvedPlace, SphereRegion)

  static func conjunction(_ parts: [ConditionDraft]) -> ConditionDraft {
    var kept: [ConditionDraft] = []
    for part in parts {
      switch part {
      case .constant(true): continue
      case .constant(false): return .constant(false)
      case .all(let inner): kept += inner
      default: kept.append(part)
      }
    }
    if kept.count == 1 { return kept[0] }
    return kept.isEmpty ? .constant(true) : .all(kept)
  }

  static func disjunction(_ parts: [ConditionDraft]) -> ConditionDraft {
    var kept: [ConditionDraft] = []
    for part in parts {
      switch part {
      case .constant(false): continue
      case .constant(true): return .constant(true)
      case .any(let inner): kept += inner
      default: kept.append(part)
      }
    }
    if kept.count == 1 { return kept[0] }
    return kept.isEmpty ? .constant(false) : .any(kept)
  }

  var negated: ConditionDraft {
    switch self {
    case .constant(let holds): return .constant(!holds)
    case .not(let inner): return inner
    case .test(var test, _):
      test.isNegated.toggle()
      test.matchesNull.toggle()
      return .test(test, equalTo: [])
    default: return .not(self)
    }
  }

  /// The cost per row, to order conjunctions by.
  var cost: Int {
    switch self {
    case .constant: 0
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let inner): inner.cost
    case .test(let test, _): test.cost
    case .check(_, let cost, _, _): cost
    case .within(let place, _): 200 + place.linkCount * 60
    case .columns(let left, _, let right): 40 + (left.linkCount + right.linkCount) * 60
    }
  }
}
