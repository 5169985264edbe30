internal import FirnEngine

extension Realm {
  /// Creates an object, or updates the one that has the same primary key.
  ///
  /// `value` is one of:
  /// - a dictionary of values by property name; other keys are ignored, which the log says once for each class, and a property
  ///   without key gets its declared default in a new object and stays as it is in an existing one;
  /// - an array of values in the order of the properties, those of superclasses first;
  /// - an object of this or another class that has properties of the same names, managed anywhere or unmanaged.
  ///
  /// Links take the same forms, an object of this realm, or nil; lists take anything that can be enumerated. Objects that
  /// this realm does not manage are copied and stay what they are. Integers of all widths, Booleans as 0 and 1, numbers
  /// for floating point properties, strings for UUIDs, and raw values of enumerations are converted. An `NSNumber` counts as
  /// the integer, floating point number or Boolean that it was made from.
  ///
  /// With an update policy and an object of this realm that object itself is returned, and nothing is written.
  ///
  /// Traps outside of a write transaction, for a value that a property cannot hold, with `.error` for a primary key that
  /// exists, and with another policy for a class without primary key. For values from outside there is
  /// ``create(_:checking:update:limits:)``, which throws.
  ///
  /// - Parameter update: `.modified` writes and reports only properties whose values differ, `.all` every one given.
  /// - Complexity: O(1) amortised for each object and list element.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error, file: StaticString = #fileID,
    line: UInt = #line
  ) -> T {
    let site = CallSite(function: "Realm.create", file: file, line: line)
    let writer = requireWriter(site)
    let handle = instance.requireHandle(type)
    if update != .error, let object = managedObject(value, type) { return object }
    do {
      let key = try ObjectCreator(instance, writer, update).create(handle, value)
      return unsafeDowncast(handle.accessor(key), to: type)
    } catch {
      InvalidValue.trap(error, site)
    }
  }
}
