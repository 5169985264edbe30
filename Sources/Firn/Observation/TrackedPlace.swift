internal import FirnEngine
internal import FirnReactive

/// Something that was read, and whose change is reported.
enum TrackedPlace: Hashable {
  /// A property of a row, be it a value, a link or a collection.
  case property(TableID, RowKey, ColumnID)
  /// Whether a row exists.
  case existence(TableID, RowKey)
  /// The links to a row.
  case backlinks(BacklinkPlace)
  /// Which rows a query has, in which order, and what counts of these.
  case query(ViewQuery, KeyPathFilter)

  /// The row without which there is nothing at the place.
  var row: (table: TableID, row: RowKey)? {
    switch self {
    case .property(let table, let row, _), .existence(let table, let row): (table, row)
    case .backlinks(let place): (place.target, place.row)
    case .query: nil
    }
  }
}

/// Has a place looked at as long as somebody may want to hear of it.
///
/// Guarded by the lock of its `RealmTracking`, but for the key path, which goes on any thread.
final class TrackedEntry {
  let place: TrackedPlace
  /// Ascends in the order of first reads.
  let number: Int
  /// What the place is known by to those who read it since it changed last. They keep it: when it is gone nobody wants to
  /// hear of the place any more.
  weak var keyPath: RealmTracking.ReadPath?
  @exclusivity(unchecked) private(set) var subscription: Subscription?
  private var view: QueryView?

  init(_ place: TrackedPlace, _ number: Int) {
    self.place = place
    self.number = number
  }

  /// Starts to be found by what changes, from a version on.
  func enter(_ stage: ReactiveStage, in contents: GraphContents) {
    let subscription = Subscription(self)
    self.subscription = subscription
    switch place {
    case .property(let table, let row, _), .existence(let table, let row):
      stage.add(subscription, at: [.row(table, row)])
    case .backlinks(let place):
      stage.add(subscription, at: BacklinkView(place).places(.nothing))
    case .query(let query, let filter):
      let view = stage.addView(query, in: contents)
      self.view = view
      stage.add(subscription, at: view.places(filter) + [.query(view, filter)])
    }
  }

  func leave(_ stage: ReactiveStage) {
    if let subscription { stage.remove(subscription) }
  }

  /// Whether a step changed what is at the place.
  func isChanged(by step: Step) -> Bool {
    switch place {
    case .property(let table, let row, let column):
      step.isDeleted(row, in: table.index) || step.written(row, in: table.index).contains(column)
    case .existence(let table, let row): step.isDeleted(row, in: table.index)
    case .backlinks(let place):
      step.isDeleted(place.row, in: place.target.index) || BacklinkView(place).change(step, .nothing) != nil
    case .query(_, let filter): view?.change(step, filter).map { !$0.isEmpty } ?? false
    }
  }

  /// Whether something may have been read in the transaction that a step is of which is neither what was before nor what is
  /// after it: of a row that was not there, and of queries and backlinks, of which only what came out of it is known.
  func mayHaveBeenOther(in step: Step) -> Bool {
    switch place {
    case .property(let table, let row, _), .existence(let table, let row): !step.old.contains(row, in: table)
    case .backlinks, .query: true
    }
  }
}
