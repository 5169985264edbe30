#if Publishers
public import Firn

extension Object: ObservableObject {
  /// Tells that the object was written, after the commit was delivered, and that it was deleted.
  public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
}

extension EmbeddedObject: ObservableObject {
  /// Tells that the object was written, after the commit was delivered, and that it was deleted.
  public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
}

#endif
