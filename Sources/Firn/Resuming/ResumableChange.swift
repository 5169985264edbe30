/// What a ``ResumableChangeStream`` delivers, each time with a token to go on from later.
///
/// Changes are told by primary key, and are safe to apply twice: put each of ``KeyedDelta/upserted`` in place of the
/// object with its key or beside the others, and forget those of ``KeyedDelta/removedKeys``.
public enum ResumableChange<Element: Object>: Sendable {
  /// The first element where no token was given: the content at the moment when it was asked for.
  case initial(Frozen<Results<Element>>, token: ResumeToken)

  /// The first element where a token was given, and all that happened since is known.
  case resumed(KeyedDelta<Element>, token: ResumeToken)

  /// Something happened since the element before, in one commit or several.
  case update(KeyedDelta<Element>, token: ResumeToken)

  /// Forget what was there before, and take the content. What happened since the token, or since the element before, is
  /// not known.
  case reset(Frozen<Results<Element>>, token: ResumeToken)

  /// Names the version of the element: who has applied it may go on from there.
  public var token: ResumeToken {
    switch self {
    case .initial(_, let token), .resumed(_, let token), .update(_, let token), .reset(_, let token): token
    }
  }

  /// All objects that belong to the results, in their order, in the version of the element.
  public var content: Frozen<Results<Element>> {
    switch self {
    case .initial(let content, _), .reset(let content, _): content
    case .resumed(let delta, _), .update(let delta, _): delta.content
    }
  }

  /// What happened; nil where everything may be different.
  public var delta: KeyedDelta<Element>? {
    switch self {
    case .initial, .reset: nil
    case .resumed(let delta, _), .update(let delta, _): delta
    }
  }
}

/// Objects of results that came, changed or left, by primary key.
public struct KeyedDelta<Element: Object>: Sendable {
  /// All objects that belong to the results now, in their order.
  public let content: Frozen<Results<Element>>

  /// Objects that belong to the results now and came or were written, in the order in which they were added to the
  /// database.
  public let upserted: [Frozen<Element>]

  /// Primary keys of objects that do not belong to the results any more, ascending by number of the object.
  ///
  /// After a resumption there may be keys of objects that never did: of those that were deleted, and of those that do
  /// not match and in which something was written that the query reads. Where a key is a secret, do not pass on one
  /// that the subscriber has not had.
  public let removedKeys: [RealmStore.HistoryValue]

  /// Why it happened: the causes of all commits in between that named an author or metadata, oldest first.
  public let causes: [Realm.Cause]
}
