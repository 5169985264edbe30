internal import FirnEngine

extension ObjectBase {
  /// Makes an unmanaged object with values from a dictionary, an array or another object, in the forms that
  /// ``Realm/create(_:value:update:)`` takes. Objects of the right class in `value` are linked to, not copied.
  ///
  /// Traps for a value that a property cannot hold.
  public convenience init(value: Any) {
    self.init()
    do {
      try UnmanagedValues.set(value, on: self)
    } catch {
      InvalidValue.trap(error)
    }
  }

  /// What the schema says of the object's class, also when the object is unmanaged.
  public final var objectSchema: ObjectSchema { ObjectSchema(_model) }

  /// The schema of the class; nil for a class without persisted properties, such as ``Object`` itself. The name is that
  /// of Objective-C; see ``objectSchema``.
  public final class func sharedSchema() -> ObjectSchema? {
    let model = ClassModel.of(self)
    return model.hasNoProperties ? nil : ObjectSchema(model)
  }

  /// The value of a property by name; see `subscript(key:)`.
  public final func value(forKey key: String) -> Any? {
    let model = _model
    if let index = model.linkingProperties.firstIndex(where: { $0.name == key }) {
      if let object = self as? DynamicObject { return object._readLinking(index) }
      let linking = model.linkingProperties[index]
      return linking.wrapper.read(at: Unmanaged.passUnretained(self).toOpaque() + linking.offset, of: self)
    }
    let (column, property) = _property(named: key)
    if property.shape.custom != nil, !property.shape.isCollection, _table != nil { return _storedTarget(column) }
    return Unwrapping.stored(property.read(self))
  }

  /// Sets a property by name; see `subscript(key:)`.
  public final func setValue(_ value: Any?, forKey key: String) {
    let (column, property) = _property(named: key)
    do {
      guard let instance = _instance, let table = _table else { return setUnmanaged(value as Any, property) }
      let cell = _beginMutation(table.slot(column))
      let creator = ObjectCreator(instance, cell.writer, .error)
      creator.addsObjects = true
      let value = (value as Any)
      if property.shape.type == .object, !property.shape.isCollection,
        let object = Unwrapping.value(value) as? ObjectBase,
        object._instance == nil || object._table?.layout.isOwned == true, type(of: object) == property.shape.target
      {
        // As an assignment would: the object itself is added.
        return instance.setLink(object, cell)
      }
      try creator.set(column, property, of: cell.key, table, to: value)
    } catch {
      InvalidValue.trap(error)
    }
  }

  private final func setUnmanaged(_ value: Any, _ property: ClassModel.Property) {
    do {
      try UnmanagedValues.set(value, property, on: self, _model)
    } catch {
      guard let invalid = error as? InvalidValue else { fatalError("\(error)") }
      let text = Unwrapping.value(value).map { ShownValue.text($0) } ?? "<null>"
      let isConverted = property.shape.converted != nil || property.shape.custom != nil
      let type = isConverted ? invalid.expected : Coercion.typeName(property.shape)
      fatalError("Could not convert value '\(text)' to type '\(type)'. \(invalid.message)")
    }
  }

  private final func _property(named name: String) -> (column: Int, property: ClassModel.Property) {
    let model = _model
    guard let column = model.properties.firstIndex(where: { $0.name == name }) else {
      if model.linkingProperties.contains(where: { $0.name == name }) {
        fatalError("Property '\(model.name).\(name)' is read-only: it shows the objects that link here.")
      }
      model.trapForProperty(named: name)
    }
    return (column, model.properties[column])
  }
}
