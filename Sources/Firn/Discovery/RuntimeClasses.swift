/// Finds classes by their superclass, so that a schema need not be listed by hand.
enum RuntimeClasses {
  /// All direct and indirect subclasses of `base` in the process, sorted by name: private, nested and function-local
  /// ones, and those of images loaded by now, included; generic classes left out, but not classes derived from one.
  ///
  /// Empty when the runtime is not the one this package knows: the caller then needs an explicit list.
  /// Names are not unique; see `name(of:)`.
  ///
  /// - Complexity: O(classes of the process), some microseconds; the metadata of no other class is instantiated.
  static func subclasses(of base: AnyClass) -> [AnyClass] {
    guard RuntimeMetadata.isUnderstood else { return [] }
    let root = RuntimeMetadata.descriptor(of: base)
    return RuntimeMetadata.classDescriptors()
      .filter { inherits($0, from: root) }
      .compactMap(RuntimeMetadata.type(of:))
      .sorted { name(of: $0) < name(of: $1) }
  }

  /// The class name without module or scope. `String(reflecting:)` would put an address into the names of private and
  /// function-local classes.
  static func name(of type: AnyClass) -> String {
    _typeName(type, qualified: false)
  }

  private static func inherits(_ descriptor: RuntimeMetadata.Descriptor, from root: RuntimeMetadata.Descriptor) -> Bool
  {
    var current = descriptor
    while let parent = RuntimeMetadata.superclass(of: current) {
      if parent == root { return true }
      current = parent
    }
    return false
  }
}
