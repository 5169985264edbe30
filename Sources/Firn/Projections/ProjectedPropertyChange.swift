/// A member of a projection that changed. Never delivered: changes of projections come as ``PropertyChange``. There for
/// source compatibility.
@frozen public struct ProjectedPropertyChange {
  /// The label of the member.
  public let name: String
  /// The value before.
  public let oldValue: Any?
  /// The value now.
  public let newValue: Any?
}
