/// What a property of type ``LinkingObjects`` can be declared with. Not to be conformed to directly.
public protocol LinkingObjectsProtocol {
  /// The class of the objects that link.
  associatedtype Element
  /// Declares which property of the other class leads to the object; see ``LinkingObjects``.
  init(fromType: Element.Type, property: String)
  /// The declared property.
  var _originProperty: String { get }
  /// The declared class.
  static var _originType: ObjectBase.Type { get }
}
