#if Publishers
public import Firn

extension ThreadConfined where Self: ObjectBase {
  /// Needs Objective-C.
  @available(
    *, unavailable,
    message: "Key-value observing needs Objective-C. Write valuePublisher(object, keyPaths: [\"name\"]).map(\\.name)."
  )
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: _KeyValueObservingOptions = [.initial, .new]
  ) -> AnyPublisher<Value, Never> { fatalError("Publish the object.") }
}
#endif
