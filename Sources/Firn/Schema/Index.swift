/// An ordered index over properties of a class; see ``ObjectBase/indexes()``.
///
/// It keeps the objects in the order of the properties, the first one first, and serves equality with values of the first
/// properties, then a range, a prefix or the order of the next one: a condition on `status` and a range of `departure`, or
/// the order of both, for `Index(\Flight.status, \Flight.departure)`. It also finds the first and the last objects, any
/// position, and counts, without looking at the others. Nil comes first; objects behind a link that is nil come last.
///
/// Key paths may lead through links to one object and through embedded objects, not through collections; the index follows
/// changes of what is behind the links. A link itself may be a property of an index: its objects come in the order in
/// which they were added.
///
/// An object takes about 14 to 19 bytes in an index. Changing an indexed property costs O(log n), and behind a link that
/// for each object that leads there.
public struct Index {
  enum Kind {
    case plain, unique, places
  }

  let keyPaths: [AnyKeyPath]
  let kind: Kind

  private init(_ keyPaths: [AnyKeyPath], _ kind: Kind) {
    self.keyPaths = keyPaths
    self.kind = kind
  }

  /// An index over properties, the first one first.
  public init<Root: ObjectBase>(_ keyPaths: PartialKeyPath<Root>...) { self.init(keyPaths, .plain) }

  /// An index over properties in which no two objects may agree.
  ///
  /// A transaction after which two objects agree in all of them cannot be committed: it throws
  /// ``Realm/Error/duplicateValue``, with both objects, and is rolled back. In between objects may agree, so values may be
  /// swapped. An object with a nil among the properties, or behind a link that is nil, agrees with no other, as in SQL.
  ///
  /// Opening a database whose objects agree already throws the same error.
  public static func unique<Root: ObjectBase>(_ keyPaths: PartialKeyPath<Root>...) -> Index {
    Index(keyPaths, .unique)
  }

  /// An index of where objects are on the globe: `.geo(\Airport.location)`. It finds those in a circle, box or polygon
  /// without looking at the others; see <doc:Places>.
  ///
  /// Opening a realm throws when the embedded class holds no places. The key path may lead through links, whose changes are
  /// followed. An object takes about 14 to 19 bytes, and moving it O(log n).
  public static func geo<Root: ObjectBase, Place: EmbeddedObject>(_ keyPath: KeyPath<Root, Place?>) -> Index {
    Index([keyPath], .places)
  }
}

/// The index of a single property, as `@Persisted(index:)` declares it.
public enum PropertyIndex: Sendable {
  /// Finds equal values, as `@Persisted(indexed: true)` does. Smaller and quicker than the others for values that many
  /// objects have, and no help for anything but `==`, `in` and what comes of them.
  case hash
  /// Keeps the objects in the order of the property: see ``Index``.
  case ordered
  /// An ordered index in which no value occurs twice: see ``Index/unique(_:)``.
  case unique
}
