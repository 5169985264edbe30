public import Foundation

extension Map {
  /// The values that satisfy a condition, live, in the order of the keys: a condition on the properties of objects, made
  /// by `NSPredicate(format:)`, `NSPredicate(value:)` or `NSCompoundPredicate`. Values that are nil have no properties.
  ///
  /// Traps for an unmanaged map, for other predicates, and for one that does not suit the values.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    Results(core: _elementQuery().filtered(predicate))
  }

  /// The values that satisfy a condition given as text, live; see ``RealmCollection/filter(_:_:)``.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    Results(core: _elementQuery().filtered(ParsedPredicate.ofProgram(predicateFormat, args)))
  }

  /// The values that satisfy a condition that came from outside, live; see
  /// ``RealmCollection/filter(parsing:arguments:limits:)``.
  public func filter(
    parsing text: String, arguments: [Any] = [], limits: PredicateLimits = PredicateLimits()
  ) throws -> Results<Value> {
    Results(core: try _elementQuery().filtered(parsing: text, arguments, limits))
  }
}
