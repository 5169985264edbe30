internal import FirnEngine
internal import Foundation

/// Makes predicates that were read, or built of others, conditions on what is queried.
struct PredicateLowering {
  /// A query on what the conditions are about.
  let core: ResultsCore

  /// The condition that a text says.
  func condition(_ parsed: ParsedPredicate) throws(InvalidPredicate) -> Predicate {
    var binder = QueryBinder(core, collectionDepthMax: parsed.limits.collectionDepth)
    do throws(QueryError) {
      return try binder.bind(parsed.expression)
    } catch {
      throw parsed.invalid(error)
    }
  }

  /// The condition that a predicate of Foundation stands for. Compounds may lie as deep within each other as conditions
  /// of a text.
  func condition(_ predicate: NSPredicate, depth: Int = 0) throws(InvalidPredicate) -> Predicate {
    if let predicate = predicate as? FormatPredicate { return try condition(predicate.parsed) }
    if let compound = predicate as? NSCompoundPredicate { return try condition(compound, depth: depth + 1) }
    if type(of: predicate) == NSPredicate.self {
      for holds in [true, false] where predicate.isEqual(NSPredicate(value: holds)) { return .constant(holds) }
    }
    throw InvalidPredicate(
      "Only support compound, comparison, and constant predicates: a block, or a class of its own, says nothing to a "
        + "query. Write NSPredicate(format:), or filter the elements in Swift.",
      expected: "NSPredicate(format:), NSPredicate(value:) or NSCompoundPredicate", found: "\(type(of: predicate))")
  }

  private func condition(_ compound: NSCompoundPredicate, depth: Int) throws(InvalidPredicate) -> Predicate {
    if depth > PredicateLimits.depthMax {
      throw InvalidPredicate(
        "More than \(PredicateLimits.depthMax) compound predicates lie within each other. Give a chain of AND or OR all "
          + "its parts at once.",
        expected: "at most \(PredicateLimits.depthMax) levels", found: "more")
    }
    if compound.compoundPredicateType == .not {
      guard compound.subpredicates.count == 1, let only = compound.subpredicates.first else {
        throw InvalidPredicate(
          "NOT applies to one predicate, and here it has \(compound.subpredicates.count).", expected: "1 predicate",
          found: "\(compound.subpredicates.count)")
      }
      return .not(try condition(only, depth: depth))
    }
    var parts: [Predicate] = []
    for part in Self.chain(compound) { parts.append(try condition(part, depth: depth)) }
    return compound.compoundPredicateType == .and ? .and(parts) : .or(parts)
  }

  /// What a compound joins, and compounds of the same kind that come first in it: programs make chains by joining one
  /// more again and again.
  private static func chain(_ compound: NSCompoundPredicate) -> [NSPredicate] {
    var rests: [ArraySlice<NSPredicate>] = [compound.subpredicates[...]]
    while let first = rests[rests.count - 1].first as? NSCompoundPredicate,
      first.compoundPredicateType == compound.compoundPredicateType
    {
      rests[rests.count - 1].removeFirst()
      rests.append(first.subpredicates[...])
    }
    return rests.reversed().flatMap { $0 }
  }
}
