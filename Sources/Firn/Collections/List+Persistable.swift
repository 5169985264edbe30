internal import FirnEngine

extension List: _PersistableCollection {
  public typealias PersistedType = List<Element>

  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? {
    Element._elementProblem
  }

  public static var _shape: _PropertyShape {
    var shape = Element._elementShape
    shape.collection = .list
    return shape
  }

  public func _becomeManaged(_ object: ObjectBase, _ slot: UInt64) {
    let elements = _elements
    _elements = []
    _bind(object, slot)
    if !elements.isEmpty { append(objectsIn: elements) }
  }
}
