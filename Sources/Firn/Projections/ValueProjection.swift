/// What a part of a program needs of an object, as a value: a struct that may go to any thread, task or actor.
///
///     struct FlightRow: ValueProjection {
///         let number: String
///         let city: String?
///
///         static var keyPaths: [PartialKeyPath<Flight>] { [\.number, \.from?.city] }
///
///         init(projecting flight: Flight) {
///             number = flight.number
///             city = flight.from?.city
///         }
///     }
///
/// ``RealmCollection/values(as:)`` makes such values once, `observe(as:)` keeps them live. Where a ``Projection`` reads its
/// object whenever it is asked, a value is made once for each change of its key paths, and keeps what it read.
public protocol ValueProjection: Sendable {
  /// The class of the objects that values are made of.
  associatedtype Root: ObjectBase & RealmCollectionValue

  /// The properties that a value is made of, also through links and collections.
  ///
  /// A value is made anew when one of them changes, and only then: it does not follow what is read and not named here. A
  /// path to a collection, such as `\.crew`, stands for what is in it, `\.crew[0].name` for a property of the elements too.
  /// Without any, every change of the object counts, and those behind up to three links.
  static var keyPaths: [PartialKeyPath<Root>] { get }

  /// Makes a value of an object.
  ///
  /// Runs where the collection is read or observed, and must not write. The object is not to be kept: while a collection is
  /// gone through, it may become the next one.
  init(projecting object: Root)
}
