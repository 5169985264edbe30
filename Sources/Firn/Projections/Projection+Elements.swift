internal import FirnEngine

// Projections as elements of results. The elements of stored collections are objects.
extension _ListElement where Self: ProjectionObservable {
  public static var _elementShape: _PropertyShape { _PropertyShape(.object, target: Root.self) }
  public static var _elementWidth: Int { 8 }
  public static var _isLinkElement: Bool { true }
  public static var _isProjection: Bool { true }

  public static func _element(of object: ObjectBase) -> Self { projecting(object) }

  public static func _loadElement(_ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource) -> Self {
    projecting(source.table.unsafelyUnwrapped._accessor(address.loadUnaligned(as: UInt64.self)))
  }

  public static func _storeElement(
    _ value: Self, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool { fatalError("Projections cannot be stored: '\(Self.self)'. Store its rootObject.") }
}

extension ProjectionObservable {
  public static var _fetchedClass: ObjectBase.Type { Root.self }

  /// The object.
  public var _storedForm: Any { rootObject }
}

extension Projection: _HasStoredForm {
  /// The object, which conditions compare with links.
  public var _constant: _Constant { rootObject._constant }
}

extension ProjectionObservable {
  func makeReference() -> ReferenceTarget {
    let type = type(of: self)
    return rootObject.makeReference().map { ($0 as? Root).map { type.init(projecting: $0) } }
  }
}

extension Projection: Referable {}
