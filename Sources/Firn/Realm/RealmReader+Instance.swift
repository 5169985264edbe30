/// Every reader of accessors is a realm.
extension ObjectBase {
  /// The realm; nil when unmanaged.
  @inline(__always)
  final var _instance: RealmInstance? {
    get { _reader.map { unsafeDowncast($0, to: RealmInstance.self) } }
    set { _reader = newValue }
  }
}

extension TableHandle {
  @inline(__always)
  var instance: RealmInstance { unsafeDowncast(reader, to: RealmInstance.self) }
}
