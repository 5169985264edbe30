/// How much ``RealmCollection/filter(parsing:arguments:limits:)`` takes from outside.
///
/// The limits bound what a text costs until the query is made. What evaluating it costs depends on the data as well: with
/// the number of elements of a collection, to the power of ``collectionDepth``.
public struct PredicateLimits: Sendable, Equatable {
  /// How many bytes of UTF-8 the text may have.
  public var byteCount: Int
  /// How deep conditions may lie within each other. `NOT`, `SUBQUERY`, a chain of `AND` and a chain of `OR` are a level
  /// each; parentheses alone are none.
  ///
  /// At most ``depthMax``; more counts as that.
  public var depth: Int { didSet { depth = min(depth, Self.depthMax) } }
  /// How many comparisons there may be.
  public var conditionCount: Int
  /// How many values all lists may have together: those in braces, those that are arguments, and those within values,
  /// dictionaries too.
  public var valueCount: Int

  /// How many collections may lie within each other: those that a key path leads through with `ANY` or `NONE`, and those of
  /// `SUBQUERY` around them.
  ///
  /// At most ``collectionDepthMax``; more counts as that.
  public var collectionDepth: Int { didSet { collectionDepth = min(collectionDepth, Self.collectionDepthMax) } }

  /// The greatest depth that can be allowed: conditions within each other are worked on from within, which takes of the
  /// thread's stack for each level.
  public static let depthMax = 100

  /// The greatest depth of collections that can be allowed.
  public static let collectionDepthMax = 16

  /// How many names and subscripts a key path may have.
  public static let pathLengthMax = 100

  /// How many parentheses may be open at a time.
  public static let parenthesisCountMax = 10_000

  /// Limits that ordinary texts keep.
  ///
  /// - Parameters:
  ///   - byteCount: See ``byteCount``.
  ///   - depth: See ``depth``.
  ///   - conditionCount: See ``conditionCount``.
  ///   - valueCount: See ``valueCount``.
  ///   - collectionDepth: See ``collectionDepth``.
  public init(
    byteCount: Int = 1 << 20, depth: Int = 100, conditionCount: Int = 100_000, valueCount: Int = 1_000_000,
    collectionDepth: Int = 4
  ) {
    self.byteCount = byteCount
    self.depth = min(depth, Self.depthMax)
    self.conditionCount = conditionCount
    self.valueCount = valueCount
    self.collectionDepth = min(collectionDepth, Self.collectionDepthMax)
  }

  /// Those of texts that the program itself gives: only what the stack needs.
  static let ofProgram = PredicateLimits(
    byteCount: .max, conditionCount: .max, valueCount: .max, collectionDepth: collectionDepthMax)
}
