public import Foundation

/// What the observer of ``SectionedResults`` or of a ``ResultsSection`` is told.
@frozen public enum SectionedResultsChange<Collection> {
  /// The first call: the sections are ready. Everything committed before it is part of them.
  case initial(Collection)

  /// Elements or sections came, went or changed. Everything ascends, by section and then by item.
  ///
  /// `deletions`, `modifications` and `sectionsToDelete` are places before the change, `insertions` and `sectionsToInsert`
  /// places after it. Deleting the rows, then the sections, inserting sections, then rows, gives the new sections. The rows of
  /// a deleted section are not in `deletions`; those of a new one are in `insertions`. An element that moved is a deletion,
  /// unless its section went, and an insertion; a section that moved is deleted and inserted.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The name that older programs use.
public typealias RealmSectionedResultsChange = SectionedResultsChange

#if os(Linux)
  extension IndexPath {
    /// The place of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The section, which is the first index. Traps when there is none.
    public var section: Int {
      get { self[0] }
      set { self[0] = newValue }
    }

    /// The place in the section, which is the second index. Traps when there is none.
    public var item: Int {
      get { self[1] }
      set { self[1] = newValue }
    }
  }
#endif
