internal import FirnEngine
internal import Synchronization

/// What reflection tells of a model class: its persisted properties and where their wrappers lie in an instance.
///
/// Made once per class and kept.
final class ClassModel: Sendable {
  struct Property: Sendable {
    let name: String
    /// Its position among the properties of the class, which is that of its column.
    let column: Int
    /// Offset of the wrapper in an instance, in bytes.
    let offset: Int
    let wrapper: any PersistedProperty.Type
    let value: any _Persistable.Type
    /// The index that its declaration asks for.
    let index: PropertyIndex?
    let isPrimaryKey: Bool

    let shape: _PropertyShape
    /// What is wrong with the declaration, as the end of a sentence; nil when nothing is.
    let problem: String?
    let deleteRule: DeleteRule
    /// The name under which it is stored.
    let columnName: String
    /// The name of the class that links lead to.
    let targetName: String?

    /// Whether nobody can name it: a column of the table that the class of the time did not have.
    var isHidden: Bool { name.isEmpty }

    /// The value that an object of the class has, as its Swift type; an object known by name gives it in stored form.
    func read(_ object: ObjectBase) -> Any { object._value(of: self) }
  }

  /// The other direction of a link: a property without a column.
  struct LinkingProperty: Sendable {
    let name: String
    /// Offset of the wrapper in an instance, in bytes.
    let offset: Int
    let wrapper: any PersistedProperty.Type
    /// The class that links, and the name of its property; empty when none was declared.
    let origin: ObjectBase.Type
    let originProperty: String
  }

  let type: ObjectBase.Type
  let name: String
  let properties: [Property]
  /// Properties of type `LinkingObjects`.
  let linkingProperties: [LinkingProperty]

  /// The positions of the properties by their names.
  let columns: [ExactKey<String>: Int]

  /// What accessors are copied from; nil where they are made by the initialiser of the class.
  let image: AccessorImage?

  /// Whether iterators and links may point an accessor of the class at another row: its instances hold nothing but
  /// persisted properties, and the class allows it.
  let reusesAccessors: Bool

  /// A class that others link to may have nothing but the other direction of these links.
  var hasNoProperties: Bool { properties.isEmpty && linkingProperties.isEmpty }

  var primaryKey: Int? { properties.firstIndex(where: \.isPrimaryKey) }

  /// A model of rows that no class of the process stands for.
  ///
  /// - Parameter type: What their accessors are.
  init(type: ObjectBase.Type, name: String, properties: [Property]) {
    self.type = type
    self.name = name
    self.properties = properties
    columns = Self.columns(of: properties)
    linkingProperties = []
    image = nil
    reusesAccessors = false
  }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    name = type.className()
    var properties: [Property] = []
    var linkingProperties: [LinkingProperty] = []
    let ignored = Set(type.ignoredProperties())
    let indexed = Set(type.indexedProperties())
    let primaryKey = type.primaryKey()
    let columnNames = type.propertiesMapping()
    for declared in DeclaredProperties.of(type).properties where !ignored.contains(declared.name) {
      let (name, wrapper) = (declared.name, declared.wrapper)
      if let origin = declared.origin {
        linkingProperties.append(
          LinkingProperty(
            name: name, offset: declared.offset, wrapper: wrapper, origin: origin.type, originProperty: origin.property)
        )
        continue
      }
      let shape = wrapper.shape
      properties.append(
        Property(
          name: name, column: properties.count, offset: declared.offset, wrapper: wrapper, value: wrapper.value,
          index: Self.index(declared.index ?? (indexed.contains(name) ? .hash : nil), of: shape),
          isPrimaryKey: declared.isPrimaryKey || primaryKey == name, shape: shape, problem: declared.problem,
          deleteRule: declared.deleteRule, columnName: columnNames[name] ?? name, targetName: shape.target?.className()
        ))
    }
    self.properties = properties
    columns = Self.columns(of: properties)
    self.linkingProperties = linkingProperties
    let left =
      ignored.isEmpty
      ? [] : RuntimeFields.fields(of: type).filter { ignored.contains(DeclaredProperties.propertyName($0.name)) }
    image = AccessorImage(of: type, ignored: left.map(\.offset))
    reusesAccessors = image != nil && AccessorReuse.isKnown && type.reusesAccessors
  }

  /// Mixed values have no hash index: an ordered one finds equal values too.
  private static func index(_ index: PropertyIndex?, of shape: _PropertyShape) -> PropertyIndex? {
    index == .hash && shape.type == .any && !shape.isCollection ? .ordered : index
  }

  private static func columns(of properties: [Property]) -> [ExactKey<String>: Int] {
    Dictionary(properties.lazy.filter { !$0.isHidden }.map { (ExactKey($0.name), $0.column) }) { first, _ in first }
  }

  private static let known = Lock<[ObjectIdentifier: ClassModel]>([:])

  /// The model of a class. The first call makes an instance of it.
  static func of(_ type: ObjectBase.Type) -> ClassModel {
    let id = ObjectIdentifier(type)
    if let model = known.withLock({ $0[id] }) { return model }
    // Outside the lock: making an instance runs the user's initialiser.
    let model = ClassModel(type)
    return known.withLock { known in
      if let other = known[id] { return other }
      known[id] = model
      return model
    }
  }
}

extension ObjectBase {
  /// What reflection tells of the object's class; for an object known by name, of the class whose row it stands for.
  final var _model: ClassModel { _table?.model ?? ClassModel.of(type(of: self)) }

  final var _modelName: String { _model.name }
}

/// A value that refers to objects or collections in some of its cases only.
protocol MayReferToObjects {
  /// Whether it refers to any, so that it is stored when its row exists.
  var waitsForRow: Bool { get }
}

/// A `Persisted` wrapper of some type, handled by the address of the wrapper.
protocol PersistedProperty: SendableMetatype {
  static var shape: _PropertyShape { get }
  static var value: any _Persistable.Type { get }
  static var slotOffset: Int { get }
  static func declaration(
    at wrapper: UnsafeRawPointer
  ) -> (index: PropertyIndex?, isPrimaryKey: Bool, deleteRule: DeleteRule)
  /// What is wrong with the declaration of the property; see `_HasPersistedType`.
  static func declarationProblem(at wrapper: UnsafeRawPointer) -> String?
  /// What a property of type `LinkingObjects` was declared with; nil for other properties.
  static func origin(at wrapper: UnsafeRawPointer) -> (type: ObjectBase.Type, property: String)?
  /// Makes an empty wrapper, which holds no reference, in memory that is not initialised.
  static func makeEmpty(at wrapper: UnsafeMutableRawPointer, slot: UInt64)
  /// Gives up what the wrapper holds, and leaves it empty.
  static func clear(at wrapper: UnsafeMutableRawPointer)
  /// Takes the unmanaged value out, so that the wrapper can become managed; the result sets what waits for the row.
  static func promote(at wrapper: UnsafeMutableRawPointer, slot: UInt64) -> ((ObjectBase) -> Void)?
  /// Whether an unmanaged property was given a value, by its declaration or later.
  static func holdsValue(at wrapper: UnsafeRawPointer) -> Bool
  /// Takes out a value that may refer to objects; nil when it refers to nothing.
  static func takeReference(at wrapper: UnsafeMutableRawPointer) -> Any?
  /// Whether an unmanaged property has a value, or one can be made.
  static func hasDefault(at wrapper: UnsafeRawPointer) -> Bool
  /// The unmanaged value, made from the default if it was never set.
  static func value(at wrapper: UnsafeMutableRawPointer, of object: ObjectBase) -> Any
  /// The value of a managed or unmanaged property, as its Swift type.
  static func read(at wrapper: UnsafeMutableRawPointer, of object: ObjectBase) -> Any
  /// Sets an unmanaged scalar; false when no value of the Swift type is stored like this.
  static func setUnmanaged(_ stored: _StoredValue, at wrapper: UnsafeMutableRawPointer) -> Bool
  /// Sets an unmanaged property; false when the value is not of the property's type.
  static func setUnmanaged(_ value: Any?, at wrapper: UnsafeMutableRawPointer) -> Bool
}

extension Persisted: PersistedProperty {
  static var shape: _PropertyShape { Value._shape }
  static var value: any _Persistable.Type { Value.self }

  static var slotOffset: Int { MemoryLayout<Self>.offset(of: \.slot).unsafelyUnwrapped }

  static func declaration(
    at wrapper: UnsafeRawPointer
  ) -> (index: PropertyIndex?, isPrimaryKey: Bool, deleteRule: DeleteRule) {
    let slot = wrapper.load(fromByteOffset: slotOffset, as: UInt64.self)
    let isDeclared = Int64(bitPattern: slot) < 0 && !PropertySlot.isManaged(slot)
    let rule = isDeclared ? DeleteRule(rawValue: UInt8(truncatingIfNeeded: slot >> 3 & 3)) : nil
    return (isDeclared ? PropertySlot.index(slot) : nil, isDeclared && slot & 2 != 0, rule ?? .nullify)
  }

  static func declarationProblem(at wrapper: UnsafeRawPointer) -> String? {
    let hasInitialValue = wrapper.assumingMemoryBound(to: Self.self).pointee.value != nil
    return Value._declarationProblem(hasInitialValue: hasInitialValue, isOptional: false)
  }

  static func hasDefault(at wrapper: UnsafeRawPointer) -> Bool {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value != nil || Value._hasDefault
  }

  static func origin(at wrapper: UnsafeRawPointer) -> (type: ObjectBase.Type, property: String)? {
    guard let type = Value.self as? any LinkingObjectsProtocol.Type else { return nil }
    let declared = wrapper.assumingMemoryBound(to: Self.self).pointee.value as? any LinkingObjectsProtocol
    return (type._originType, declared?._originProperty ?? "")
  }

  static func makeEmpty(at address: UnsafeMutableRawPointer, slot: UInt64) {
    var empty = Self()
    empty.slot = slot
    wrapper(at: address).initialize(to: empty)
  }

  static func clear(at address: UnsafeMutableRawPointer) { wrapper(at: address).pointee = Self() }

  private static func wrapper(at address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    address.assumingMemoryBound(to: Self.self)
  }

  private static func current(_ address: UnsafeMutableRawPointer) -> Value {
    let wrapper = wrapper(at: address)
    if let value = wrapper.pointee.value { return value }
    let value = Value._default()
    wrapper.pointee.value = value
    return value
  }

  static func promote(at address: UnsafeMutableRawPointer, slot: UInt64) -> ((ObjectBase) -> Void)? {
    let wrapper = wrapper(at: address)
    let shape = Value._shape
    guard shape.isCollection || shape.type == .object || shape.type == .any else {
      wrapper.pointee.value = nil
      wrapper.pointee.slot = slot
      return nil
    }
    let value = current(address)
    // A collection stays the same instance; a link starts without a cached target, which is all zero, not `nil`.
    if !shape.isCollection {
      wrapper.pointee.value = nil
    }
    if !shape.isCollection, shape.type == .object, shape.custom == nil {
      address.storeBytes(of: nil, as: UnsafeRawPointer?.self)
    }
    wrapper.pointee.slot = slot
    return { object in Value._setAfterInsert(value, on: object, slot) }
  }

  static func holdsValue(at wrapper: UnsafeRawPointer) -> Bool {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value != nil
  }

  static func takeReference(at address: UnsafeMutableRawPointer) -> Any? {
    let wrapper = wrapper(at: address)
    guard let value = wrapper.pointee.value else { return nil }
    if let value = value as? any MayReferToObjects, !value.waitsForRow { return nil }
    wrapper.pointee.value = nil
    return value
  }

  static func value(at wrapper: UnsafeMutableRawPointer, of object: ObjectBase) -> Any { current(wrapper) }

  static func read(at wrapper: UnsafeMutableRawPointer, of object: ObjectBase) -> Any {
    let slot = Self.wrapper(at: wrapper).pointee.slot
    if PropertySlot.isLive(slot) { return object._readSlowly(slot) as Value }
    return PropertySlot.isManaged(slot) ? Value._read(object, slot) : current(wrapper)
  }

  static func setUnmanaged(_ stored: _StoredValue, at address: UnsafeMutableRawPointer) -> Bool {
    guard let value = Value._make(stored) else { return false }
    wrapper(at: address).pointee.value = value
    return true
  }

  static func setUnmanaged(_ value: Any?, at address: UnsafeMutableRawPointer) -> Bool {
    // A nil of some other type is the nil of this one.
    let null = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ())
    guard let converted = (value ?? null as Any) as? Value else { return false }
    let wrapper = wrapper(at: address)
    wrapper.pointee.value = Value._assigning(converted, over: wrapper.pointee.value)
    return true
  }
}
