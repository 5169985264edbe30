internal import FirnEngine

/// An object that is to be made or updated, with all values in stored form. Writing it cannot fail.
struct ObjectDraft {
  let handle: TableHandle
  let place: DraftPlace
  /// How deep it lies in the input.
  let depth: Int
  /// What it is made of; nil once that has been read.
  var input: Any?
  /// Whether it is the value of a custom type.
  var isCustom = false
  var outcome = Outcome.unknown
  /// By column; nil where nothing is said: an existing row stays as it is, a new one gets the single values of `defaults`.
  var cells: [Cell?] = []
  /// A new object of the class, for a row that is to be made.
  var defaults: ObjectBase?
  /// The row that stands for it, once it has been written.
  var row: RowKey?

  enum Outcome {
    case unknown
    case insert
    case update(DraftTarget)
    /// The input has the same object in another place.
    case same(Int)
  }

  /// What a column is to hold: one case for each kind of property.
  enum Cell {
    case scalar(Value)
    case link(DraftTarget?)
    /// With objects that become rows of their own; see `Drafting.mixedTarget(of:)`.
    case mixed(AnyRealmValue)
    case elements(CollectionKind, [DraftElement])
    case entries([(key: String, value: DraftElement)])
    /// The property was given its own content.
    case unchanged

    /// Whether it refers to other rows or to a collection, and so has to wait until all rows exist.
    var waitsForRows: Bool {
      if case .scalar = self { false } else { true }
    }
  }
}

/// A row that something leads to: one that exists, that of a draft, by its number, or one that is made by adding.
enum DraftTarget {
  case row(RowKey)
  case draft(Int)
  /// An unmanaged object that is added itself.
  case unmanaged(ObjectBase)
}

/// An element of a collection, or a value of a map.
enum DraftElement {
  case value(Value)
  case mixed(AnyRealmValue)
  case link(DraftTarget)
}

/// Where an object stands in the input.
enum DraftPlace {
  case top
  /// In a property of another draft, or of an object that exists.
  case property(Int?, String)
  /// An element of a collection in such a property.
  case element(Int?, String, Int)
  /// The value of a key in such a map.
  case entry(Int?, String, String)
}
