internal import FirnEngine
public import Foundation

extension RealmCollection where Element: ObjectBase {
  /// The objects that satisfy a predicate of Foundation, live.
  ///
  ///     let late = #Predicate<Flight> { $0.delay > 30 && $0.airline?.country == "US" }
  ///     print(flights.where(late).count, flights.filter(late).first?.id ?? "none")
  ///
  /// The predicate means the same as in Foundation. The parts that the engine can evaluate are translated and use indexes;
  /// what is left is evaluated by closure for each object for which the others hold, and ``Results/plan`` says so. See
  /// <doc:FoundationPredicates>. An object for which evaluating throws does not satisfy it.
  ///
  /// Nothing is evaluated until the result is used. Traps for an unmanaged collection, for a key path of the class that is
  /// not a persisted property, and for more than 100 conditions within each other; a chain of `&&` or `||` counts once.
  public func `where`(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
    Results(core: _query.core.filtered(predicate))
  }

  /// The objects that satisfy a predicate of Foundation, live; see `where(_:)`.
  public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> { self.where(predicate) }
}

extension ResultsCore {
  func filtered<Element: ObjectBase>(_ predicate: Foundation.Predicate<Element>) -> ResultsCore {
    guard let node = predicate.expression as? any ExpressionNode else {
      fatalError("A predicate has a part of type '\(type(of: predicate.expression))', which queries do not know.")
    }
    var translation = PredicateTranslation(self, predicate.variable.key) { [self] part, reads in
      PredicateClosure<Element>.make(part, predicate.variable, self, reads: reads)
    }
    return filtered(.predicate(self.predicate(for: translation.condition(node))))
  }
}
