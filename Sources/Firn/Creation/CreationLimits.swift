/// What ``Realm/create(_:json:update:limits:)-(_,String,_,_)`` and ``Realm/create(_:checking:update:limits:)`` take from
/// outside.
public struct CreationLimits: Sendable, Equatable {
  /// How deep objects and collections may lie within each other. Single values are no level, and empty collections none.
  ///
  /// At most ``depthMax``; more counts as that.
  public var depth: Int { didSet { depth = min(depth, Self.depthMax) } }
  /// How many values there may be: objects, elements of collections and values of properties together.
  public var valueCount: Int
  /// How many bytes JSON text may have, and strings and data together.
  public var byteCount: Int
  /// What happens to keys that name no property.
  public var unknownKeys: UnknownKeys
  /// What happens when a new object gets no value for a property that needs one. A collection needs none: it is empty then.
  public var missingKeys: MissingKeys
  /// What may be done with objects that stand within others.
  public var nestedObjects: NestedObjects
  /// What numbers in JSON stand for where a property is a date.
  public var numericDates: NumericDates
  /// Whether decimals may be NaN or infinite.
  public var nonFiniteDecimals: NonFiniteDecimals
  /// Whether an array stands for an object, with values by position.
  public var positionalArrays: PositionalArrays

  /// The greatest depth that can be allowed: what lies within each other is released from within, which takes of the
  /// thread's stack for each level.
  public static let depthMax = 512

  /// Limits that ordinary documents keep.
  ///
  /// - Parameters:
  ///   - depth: See ``depth``.
  ///   - valueCount: See ``valueCount``.
  ///   - byteCount: See ``byteCount``.
  ///   - unknownKeys: See ``unknownKeys``.
  ///   - missingKeys: See ``missingKeys``.
  ///   - nestedObjects: See ``nestedObjects``.
  ///   - numericDates: See ``numericDates``.
  ///   - nonFiniteDecimals: See ``nonFiniteDecimals``.
  ///   - positionalArrays: See ``positionalArrays``.
  public init(
    depth: Int = 64, valueCount: Int = 1_000_000, byteCount: Int = 64 << 20, unknownKeys: UnknownKeys = .ignore,
    missingKeys: MissingKeys = .useDefaults, nestedObjects: NestedObjects = .create,
    numericDates: NumericDates = .refuse, nonFiniteDecimals: NonFiniteDecimals = .refuse,
    positionalArrays: PositionalArrays = .refuse
  ) {
    self.depth = min(depth, Self.depthMax)
    self.valueCount = valueCount
    self.byteCount = byteCount
    self.unknownKeys = unknownKeys
    self.missingKeys = missingKeys
    self.nestedObjects = nestedObjects
    self.numericDates = numericDates
    self.nonFiniteDecimals = nonFiniteDecimals
    self.positionalArrays = positionalArrays
  }
}

/// What happens when a new object gets no value for a property that needs one: that is neither optional, nor mixed, nor a
/// collection, and whose declaration has no default. A collection that is missing counts as empty, since programs that write
/// JSON often leave it out.
///
/// A primary key is always needed, unless it is optional, declared with a default, or an object id or UUID, of which new ones
/// are made: with an update policy, an empty object or array would else change the object whose key is zero or an empty text.
public enum MissingKeys: Sendable {
  /// The property starts with the default of its type: zero, an empty text, the first case.
  case useDefaults
  /// The whole input is refused.
  case refuse
}

/// What input from outside may do with objects that stand within others, where their class has a primary key. Objects of
/// other classes, and embedded ones, are part of the object that they stand in, and always made.
public enum NestedObjects: Sendable {
  /// They are linked to: the input gives the primary key of an object that exists, by itself or in a dictionary, and
  /// nothing else.
  case link
  /// They are made. An object that exists already is linked to; input that says more of it than its primary key is refused.
  case create
  /// They are made, or updated by the policy: who may write the outer object may change every object that is named in it.
  case update
}

/// What numbers in JSON stand for where a property is a date. A text is always read as ISO 8601.
///
/// Numbers of more than 10^15 seconds before or after 1970 are refused.
public enum NumericDates: Sendable {
  /// Nothing: they are refused.
  case refuse
  /// Seconds since 1970.
  case secondsSince1970
  /// Milliseconds since 1970.
  case millisecondsSince1970
}

/// Whether decimals in input from outside may be no finite numbers, as the texts `NaN` and `Infinity` are read.
public enum NonFiniteDecimals: Sendable {
  /// They are refused.
  case refuse
  /// They are stored.
  case accept
}

/// Whether an array in input from outside may stand for an object: its values are then those of the properties, in the
/// order of their declaration, so that a property that is moved changes what input means. A value of a custom type may
/// be an array of its members in any case.
public enum PositionalArrays: Sendable {
  /// They are refused.
  case refuse
  /// They are read.
  case accept
}

/// What happens to keys of a dictionary that name no property of the class.
public enum UnknownKeys: Sendable {
  /// Nothing: they are passed over.
  case ignore
  /// The whole input is refused.
  case refuse
}
