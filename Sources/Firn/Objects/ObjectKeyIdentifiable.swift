/// A model class whose objects are identified by their rows, for code that lists or compares them by ``id``.
///
///     final class Flight: Object, ObjectKeyIdentifiable {
///         @Persisted var number: String
///     }
///
/// A class that declares an `id` of its own identifies its objects by that as soon as it conforms to `Identifiable`; it
/// may declare this protocol as well.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for all accessors of a row, live or frozen, as long as the process runs; of an unmanaged object, that of
  /// the instance.
  var id: UInt64 { get }
}

/// The name as it was spelled in early versions of RealmSwift.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// Unique among the managed objects of a class in one realm, and unchanged when the object is deleted. Adding an
  /// unmanaged object changes it. May be read on any thread; O(1).
  public var id: UInt64 { _rowIdentifier }
}

extension ObjectBase {
  final var _rowIdentifier: UInt64 {
    // Objects lie at addresses that no count of rows reaches.
    _table == nil ? UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) : _key
  }
}
