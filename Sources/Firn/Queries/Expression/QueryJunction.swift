/// Two conditions joined by `&&` or `||`, as typed queries join them.
///
/// Chains of one operator may be long and may be nested in any way, because nothing walks them by recursion: joining
/// takes a constant time, ``parts`` and giving one up a time that grows with its length.
final class QueryJunction {
  enum Joint { case and, or }

  let joint: Joint
  private(set) var left: QueryExpression
  private(set) var right: QueryExpression
  /// How many junctions of another operator, negations and subqueries lie within each other.
  let depth: Int
  private let count: Int

  /// Traps when too many conditions lie within each other.
  init(_ left: QueryExpression, _ joint: Joint, _ right: QueryExpression) {
    (self.left, self.joint, self.right) = (left, joint, right)
    depth = max(left.depth(in: joint), right.depth(in: joint))
    count = left.partCount(in: joint) + right.partCount(in: joint)
    QueryExpression.check(depth)
  }

  deinit {
    // A short chain needs little of the stack.
    if count <= 64 { return }
    var waiting: [QueryJunction] = []
    releaseParts(&waiting)
    while var junction = waiting.popLast() {
      if isKnownUniquelyReferenced(&junction) { junction.releaseParts(&waiting) }
    }
  }

  private func releaseParts(_ waiting: inout [QueryJunction]) {
    if case .joined(let junction) = left { waiting.append(junction) }
    if case .joined(let junction) = right { waiting.append(junction) }
    (left, right) = (.constant(true), .constant(true))
  }

  /// The parts of the whole chain, from left to right.
  var parts: [QueryExpression] {
    var parts: [QueryExpression] = []
    parts.reserveCapacity(count)
    var waiting = [right, left]
    while let next = waiting.popLast() {
      if case .joined(let junction) = next, junction.joint == joint {
        waiting.append(junction.right)
        waiting.append(junction.left)
      } else {
        parts.append(next)
      }
    }
    return parts
  }

  fileprivate func partCount(in joint: Joint) -> Int { self.joint == joint ? count : 1 }
}

extension QueryExpression {
  var negated: QueryExpression {
    if case .flag(let path, let value) = self { return .flag(path, !value) }
    Self.check(depth + 1)
    return .not(self)
  }

  /// How many conditions lie within each other. Chains of one operator count as one.
  var depth: Int {
    switch self {
    case .constant, .flag, .own, .closure: 0
    case .comparison(let comparison): max(comparison.left.depth, comparison.right.depth)
    case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .not(let inner): 1 + inner.depth
    case .joined(let junction): junction.depth
    }
  }

  fileprivate func depth(in joint: QueryJunction.Joint) -> Int {
    if case .joined(let junction) = self, junction.joint == joint { return junction.depth }
    return depth + 1
  }

  fileprivate func partCount(in joint: QueryJunction.Joint) -> Int {
    if case .joined(let junction) = self { junction.partCount(in: joint) } else { 1 }
  }

  /// Traps for a condition that cannot be evaluated on the stack of a thread.
  static func check(_ depth: Int) {
    if depth > PredicateLimits.depthMax {
      fatalError(
        "A query has more than \(PredicateLimits.depthMax) conditions within each other. Chains of && and of || are as "
          + "long as you like; use `in` for a property that may have one of many values.")
    }
  }
}

extension QueryOperand {
  fileprivate var depth: Int {
    if case .subquery(let subquery) = self { 1 + subquery.condition.depth } else { 0 }
  }
}
