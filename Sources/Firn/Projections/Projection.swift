/// The base class of projections: an object as a part of a program needs it, with the properties that it names.
///
///     final class FlightLine: Projection<Flight> {
///         @Projected(\Flight.number) var number
///         @Projected(\Flight.from?.city) var origin
///         @Projected(\Flight.crew.projectTo.name) var crew: ProjectedCollection<String>
///     }
///
///     for line in realm.objects(FlightLine.self).where({ $0.origin == "Boston" }) { print(line.number) }
///
/// A projection keeps its ``rootObject`` and nothing else: reading a member reads the object, writing one writes it. It is
/// live, frozen, unmanaged or deleted as the object is, and belongs where the object does.
///
/// Results of a projection make a new one at each access. Projections cannot be stored: collections and links of models
/// hold objects.
///
/// Two projections are equal when they show the same row of the same realm, or the same unmanaged object.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: RealmCollectionValue,
  ProjectionObservable, RealmFetchable, KeypathSortable
{
  /// What is stored is the object.
  public typealias PersistedType = Root

  /// The object that is projected.
  public let rootObject: Root

  /// Projects an object, managed or not.
  ///
  /// Traps when a key path of a member does not read a persisted property. A subclass may add code of its own.
  ///
  /// - Complexity: O(members).
  public required init(projecting object: Root) {
    rootObject = object
    _ = ProjectionMembers.of(self)
  }

  /// The members with their key paths, one a line; `[invalid object]` once the object is gone.
  open var description: String { ProjectionMembers.of(self).description(of: self, Root.self) }

  /// The name of the object's class.
  public static func className() -> String { Root.className() }

  /// The row of the projected object, or the object itself while it is unmanaged.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentity(rootObject)) }

  public static func == (lhs: Projection, rhs: Projection) -> Bool {
    lhs.rootObject === rhs.rootObject || lhs.rootObject._isSameRow(as: rhs.rootObject)
  }
}

extension Projection: CustomStringConvertible {}
