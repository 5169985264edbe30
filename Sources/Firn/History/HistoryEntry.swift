extension RealmStore {
  /// What one commit of the past did.
  public struct HistoryEntry: Sendable {
    /// The number of the commit; give it to ``RealmStore/history(after:)`` to go on behind it.
    public let version: UInt64

    /// Who wrote, and why; nil for a commit without author and metadata.
    public let cause: Realm.Cause?

    /// The classes whose objects it changed. Empty for a commit that only recorded which classes there are.
    public let classes: [ClassHistory]
  }

  /// What a commit did to the objects of one class.
  public struct ClassHistory: Sendable {
    /// The name of the class.
    public let name: String

    /// The objects that were added, with their values, in the order in which they were.
    public let insertions: [ObjectHistory]

    /// The objects that were modified, with the properties that were written, whether they became others or not.
    public let modifications: [ObjectHistory]

    /// The objects that were deleted, with their last values where those were recorded.
    public let deletions: [ObjectHistory]
  }

  /// What a commit did to one object.
  public struct ObjectHistory: Sendable {
    /// Which object it is.
    public let identity: HistoryIdentity

    /// The properties that were written or, of an object that was deleted, recorded. In the order of the class.
    public let properties: [PropertyHistory]

    /// What is known of a property; nil when it was not written.
    ///
    /// - Complexity: O(properties).
    public subscript(name: String) -> PropertyHistory? { properties.first { $0.name == name } }
  }

  /// What a commit did to one property of an object.
  public struct PropertyHistory: Sendable {
    /// The name of the property.
    public let name: String

    /// The value before. Nil where there was none, for collections, and where it was not recorded: see
    /// ``Realm/Configuration/history``.
    public let oldValue: HistoryValue?

    /// The value after. Nil where there is none, and for collections.
    public let newValue: HistoryValue?
  }
}
