internal import FirnEngine

/// What a class looks like that declares nothing of its own.
private final class BlankObject: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same of an embedded class.
private final class BlankEmbeddedObject: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension TableHandle {
  private static let reusable = ReusableClasses(base: Object.self, reference: BlankObject.self)
  private static let reusableEmbedded = ReusableClasses(base: EmbeddedObject.self, reference: BlankEmbeddedObject.self)

  /// Whether nobody can tell when an accessor of a class is pointed at another row.
  ///
  /// Asked once per table and realm: an accessor that was listed by its key must not be moved later. An instance of the
  /// class was made and released by then, for its model.
  static func canReuse(_ model: ClassModel) -> Bool {
    AccessorReuse.isKnown
      && (model.type.isEmbedded() ? reusableEmbedded : reusable).isEligible(model.type) {
        $0 is any PersistedProperty.Type
      }
  }
}
