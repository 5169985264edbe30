/// A condition that has been read. A chain is kept as such: it may go on behind the parentheses around it.
struct PredicatePart {
  /// What a chain is joined by.
  enum Joint {
    case and, or
  }

  fileprivate let joint: Joint?
  /// What is joined, or the one condition.
  fileprivate var parts: [QueryExpression]
  /// How deep other conditions lie in it.
  let depth: Int

  init(_ expression: QueryExpression, depth: Int) {
    joint = nil
    parts = [expression]
    self.depth = depth
  }

  fileprivate init(_ parts: [QueryExpression], _ joint: Joint?, depth: Int) {
    self.joint = joint
    self.parts = parts
    self.depth = depth
  }

  var expression: QueryExpression {
    switch joint {
    case .and: .and(parts)
    case .or: .or(parts)
    case nil: parts[0]
    }
  }
}

/// Conditions that are joined. Nothing is copied: a chain of n conditions may stand in n parentheses.
private struct PredicateChain {
  let joint: PredicatePart.Joint
  /// The first one, while it is the only one.
  private var only: PredicatePart?
  private var parts: [QueryExpression] = []
  /// How deep the deepest of them is.
  private(set) var depth = 0

  init(_ joint: PredicatePart.Joint) { self.joint = joint }

  /// Adds a condition. If the first is a chain of the same kind, it goes on.
  mutating func add(_ part: consuming PredicatePart) {
    depth = max(depth, part.depth)
    if only == nil, parts.isEmpty {
      only = part
      return
    }
    if var first = only.take() {
      if first.joint == joint {
        swap(&parts, &first.parts)
        depth = max(first.depth - 1, part.depth)
      } else {
        parts.append(first.expression)
      }
    }
    parts.append(part.expression)
  }

  /// Takes out all of them as one.
  mutating func end() -> PredicatePart {
    let joined = exchange(&self, with: PredicateChain(joint))
    return joined.only ?? PredicatePart(joined.parts, joint, depth: joined.depth + 1)
  }
}

/// What has been read since a parenthesis.
struct PredicateFrame {
  enum Kind {
    case whole
    case group
    case subquery(OpenSubquery)
  }

  /// A subquery whose condition is being read, in the comparison that it stands in.
  struct OpenSubquery {
    var collection: QueryKeyPath
    var variable: String
    var comparison: OpenComparison
  }

  let kind: Kind
  /// Where it was opened.
  let position: Int
  /// Whether an odd number of `NOT` stands before the next condition.
  var isNegated = false
  /// What `AND` joins, since the last `OR`.
  private var factors = PredicateChain(.and)
  /// What `OR` joins.
  private var alternatives = PredicateChain(.or)

  init(_ kind: Kind, at position: Int) {
    self.kind = kind
    self.position = position
  }

  /// Adds the next condition, negated if it has to be.
  mutating func add(_ part: consuming PredicatePart, _ limits: PredicateLimits) throws(QueryError) {
    if isNegated {
      isNegated = false
      part = PredicatePart(.not(part.expression), depth: part.depth + 1)
    }
    factors.add(part)
    try check(factors.depth, limits)
  }

  /// Ends what `AND` joins.
  mutating func endFactors(_ limits: PredicateLimits) throws(QueryError) {
    alternatives.add(factors.end())
    try check(alternatives.depth, limits)
  }

  /// All that was read.
  mutating func end(_ limits: PredicateLimits) throws(QueryError) -> PredicatePart {
    try endFactors(limits)
    let part = alternatives.end()
    try check(part.depth, limits)
    return part
  }

  private func check(_ depth: Int, _ limits: PredicateLimits) throws(QueryError) {
    if depth <= limits.depth { return }
    throw .excess(
      "conditions within each other", most: limits.depth, "Chains of AND and of OR are as long as wanted.",
      at: position)
  }
}
