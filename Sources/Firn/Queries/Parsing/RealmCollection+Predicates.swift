internal import FirnEngine
public import Foundation

extension RealmCollection {
  /// The elements that satisfy a condition, given as text, live.
  ///
  ///     let late = realm.objects(Flight.self).filter("delay > %@ AND origin.city == 'Boston'", 30)
  ///
  /// <doc:StringPredicates> has the language. Nothing is evaluated until the result is used. Traps for a text that cannot
  /// be read, or does not suit the class or the arguments: text from outside is for ``filter(parsing:arguments:limits:)``.
  ///
  /// - Parameters:
  ///   - predicateFormat: The text.
  ///   - args: A value for each placeholder of the text.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    Results(core: _query.core.filtered(ParsedPredicate.ofProgram(predicateFormat, args)))
  }

  /// The elements that satisfy a condition, live: one made by `NSPredicate(format:)`, `NSPredicate(value:)` or
  /// `NSCompoundPredicate`.
  ///
  /// Traps for other predicates, and for one that does not suit the class.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    Results(core: _query.core.filtered(predicate))
  }

  /// The position of the first element that satisfies a condition, given as text; nil when there is none. Traps as
  /// ``filter(_:_:)`` does.
  ///
  /// The elements of an unmanaged collection are copied up to that one, as by `index(matching:)` with a closure.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    let parsed = ParsedPredicate.ofProgram(predicateFormat, args)
    return InvalidPredicate.trapping { () throws(InvalidPredicate) in
      try index { core throws(InvalidPredicate) in try core.condition(parsed) }
    }
  }

  /// The position of the first element that satisfies a condition, or nil. Traps as `filter(_:)` does.
  public func index(matching predicate: NSPredicate) -> Int? {
    InvalidPredicate.trapping { () throws(InvalidPredicate) in
      try index { core throws(InvalidPredicate) in try core.condition(predicate) }
    }
  }

  /// The elements that satisfy a condition that came from outside, live.
  ///
  ///     let found = try flights.filter(parsing: text, arguments: [30])
  ///
  /// The language is that of ``filter(_:_:)``. Whatever the text and the arguments are, this does not trap, nor does the
  /// result: what is wrong is thrown. Who may give the text may ask for every property, also through links, and may ask for
  /// what takes long to evaluate: that depends on the data.
  ///
  /// Traps for an unmanaged collection.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arguments: A value for each placeholder of the text.
  ///   - limits: How much is taken.
  /// - Throws: ``Realm/Error`` with ``Realm/Error/Code/invalidInput``; `Realm.Error.invalidPredicate` tells place,
  ///   expectation and finding.
  /// - Complexity: O(bytes of the text + elements of lists).
  public func filter(
    parsing text: String, arguments: [Any] = [], limits: PredicateLimits = PredicateLimits()
  ) throws -> Results<Element> {
    Results(core: try _query.core.filtered(parsing: text, arguments, limits))
  }

  /// The position of the first element that satisfies a condition that came from outside, or nil; see
  /// ``filter(parsing:arguments:limits:)``.
  public func index(
    parsing text: String, arguments: [Any] = [], limits: PredicateLimits = PredicateLimits()
  ) throws -> Int? {
    do throws(InvalidPredicate) {
      let parsed = try ParsedPredicate(text, arguments, limits)
      return try index { core throws(InvalidPredicate) in try core.condition(parsed) }
    } catch {
      throw Realm.Error(error)
    }
  }

  private func index(
    _ condition: (ResultsCore) throws(InvalidPredicate) -> Predicate
  ) throws(InvalidPredicate) -> Int? {
    if let elements = _unmanagedElements { return try UnmanagedQuery.index(in: elements, matching: condition) }
    let core = _query.core
    return core.index(matching: try condition(core))
  }
}

extension ResultsCore {
  /// What the engine evaluates for a text.
  func condition(_ parsed: ParsedPredicate) throws(InvalidPredicate) -> Predicate {
    try PredicateLowering(core: self).condition(parsed)
  }

  /// What the engine evaluates for a predicate of Foundation.
  func condition(_ predicate: NSPredicate) throws(InvalidPredicate) -> Predicate {
    try PredicateLowering(core: self).condition(predicate)
  }

  func filtered(_ parsed: ParsedPredicate) -> ResultsCore {
    filtered(.predicate(InvalidPredicate.trapping { () throws(InvalidPredicate) in try condition(parsed) }))
  }

  func filtered(_ predicate: NSPredicate) -> ResultsCore {
    filtered(.predicate(InvalidPredicate.trapping { () throws(InvalidPredicate) in try condition(predicate) }))
  }

  func filtered(
    parsing text: String, _ arguments: [Any], _ limits: PredicateLimits
  ) throws(Realm.Error) -> ResultsCore {
    do throws(InvalidPredicate) {
      return filtered(.predicate(try condition(try ParsedPredicate(text, arguments, limits))))
    } catch {
      throw Realm.Error(error)
    }
  }
}
