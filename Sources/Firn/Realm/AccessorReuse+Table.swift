internal import FirnEngine

/// What a class looks like that declares nothing of its own.
private final class BlankObject: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension TableHandle {
  private static let reusable = ReusableClasses(base: Object.self, reference: BlankObject.self)

  /// Whether nobody can tell when an accessor of this class is pointed at another row.
  var canReuse: Bool {
    Self.reusable.isEligible(model.type) { $0 is any PersistedProperty.Type }
  }
}
