public import Foundation

/// What lets `NSPredicate(format:)` be written: Foundation has no parser here.
public protocol _PredicateFormat {}

extension NSPredicate: _PredicateFormat {}

extension _PredicateFormat where Self: NSPredicate {
  /// A predicate from its text, for ``RealmCollection/filter(_:)`` and ``RealmCollection/index(matching:)-(NSPredicate)``.
  ///
  /// Traps for a text that cannot be read and for arguments that do not suit it; ``RealmCollection/filter(parsing:arguments:limits:)``
  /// throws. It can only be used in queries: `evaluate(with:)` traps.
  public init(format predicateFormat: String, _ args: Any...) {
    self = FormatPredicate.make(predicateFormat, args)
  }

  /// A predicate from its text, as `init(format:_:)` makes it.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = FormatPredicate.make(predicateFormat, arguments ?? [])
  }
}

/// A predicate that was made of a text.
final class FormatPredicate: NSPredicate {
  let parsed: ParsedPredicate

  /// - Returns: A predicate of the class that is asked for, which is `NSPredicate`.
  static func make<Wanted: NSPredicate>(_ text: String, _ arguments: [Any]) -> Wanted {
    let predicate = FormatPredicate(ParsedPredicate.ofProgram(text, arguments))
    guard let predicate = predicate as? Wanted else {
      fatalError("\(Wanted.self)(format:) does not exist. Write NSPredicate(format:).")
    }
    return predicate
  }

  private init(_ parsed: ParsedPredicate) {
    self.parsed = parsed
    super.init(value: false)
  }

  override var predicateFormat: String { parsed.text }

  override var description: String { parsed.text }

  override func evaluate(with object: Any?) -> Bool { trapForEvaluation() }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    trapForEvaluation()
  }

  private func trapForEvaluation() -> Never {
    fatalError(
      "NSPredicate(format: \"\(parsed.text)\") cannot be evaluated with an object. Use it in filter(_:) or "
        + "index(matching:).")
  }
}
