internal import FirnEngine

/// What happens to the objects that a link or collection leads to when the object that has the property is deleted.
///
///     class Order: Object {
///         @Persisted(deleteRule: .cascade) var lines: List<OrderLine>
///         @Persisted(deleteRule: .deny) var bill: Bill?
///     }
///
/// The rule counts when the object with the property is deleted, by itself or by a rule; taking an object out of a list
/// or assigning another one deletes nothing. Links *to* a deleted object become nil, whatever their rule. Rules are not
/// stored in the file: the model decides.
public enum DeleteRule: UInt8, Sendable {
  /// The targets stay. What a property without a rule has.
  case nullify = 0
  /// The targets are deleted too, and what their rules say after that. Cycles and long chains are fine.
  case cascade = 1
  /// The transaction cannot be committed while a target exists: committing throws ``Realm/Error/deletionDenied``, which
  /// names both objects, and rolls back. Deleting the targets in the same transaction, or clearing the property first,
  /// allows it.
  case deny = 2

  var linkKind: LinkKind {
    switch self {
    case .nullify: .nullify
    case .cascade: .cascade
    case .deny: .deny
    }
  }
}
