internal import FirnEngine

/// What somebody wanted to write, for the message of a trap. Made only when there is one.
struct WriteAttempt {
  /// The rule that is broken outside of a transaction.
  let rule: String
  /// What is written: an object with its property, a collection, or the realm itself.
  let subject: String
  /// Where the caller called; nil where calls are too short to say so.
  let site: CallSite?

  /// Properties of objects.
  init(property: String, of model: ClassModel) {
    rule = "Attempting to modify object outside of a write transaction"
    subject = "class '\(model.name)', property '\(property)'"
    site = nil
  }

  /// The elements of a collection; the name says which it is.
  init(collection kind: String, _ name: String) {
    rule = "Cannot modify managed \(kind) outside of a write transaction"
    subject = name
    site = nil
  }

  /// Properties of all objects of a collection.
  init(key: String, ofAll model: ClassModel) {
    rule = "Cannot set '\(key)' of managed objects outside of a write transaction"
    subject = "class '\(model.name)', property '\(key)'"
    site = nil
  }

  private init(_ rule: String, _ store: Store, _ site: CallSite?) {
    self.rule = rule
    subject = "database \(store.configuration.name)"
    self.site = site
  }

  /// Objects as a whole.
  static func objects(_ store: Store, _ site: CallSite?) -> WriteAttempt {
    WriteAttempt("Can only add, remove, or create objects in a write transaction", store, site)
  }

  /// The end of a transaction: "commit" or "cancel".
  static func ending(_ verb: String, _ store: Store, _ site: CallSite?) -> WriteAttempt {
    WriteAttempt("Can't \(verb) a non-existing write transaction", store, site)
  }
}
