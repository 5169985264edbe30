internal import FirnEngine
internal import FirnReactive

/// Observes a map: the operations on it, and changes of the objects in it.
final class MapObserver: DataObserver {
  private let place: ListPlace
  private let target: Int?
  private let filter: KeyPathFilter
  private let body: (Event) -> Void
  @exclusivity(unchecked) private var isInitialDue = true
  @exclusivity(unchecked) private var isGone = false
  @exclusivity(unchecked) private var closed: [MapKeyChanges] = []
  @exclusivity(unchecked) private var open: MapKeyChanges?

  enum Event {
    case initial
    case update(MapKeyChanges)
  }

  init(_ place: ListPlace, _ filter: KeyPathFilter, target: Int?, _ body: @escaping (Event) -> Void) {
    self.place = place
    self.filter = filter
    self.target = target
    self.body = body
  }

  override func start(_ context: RealmObservers) -> [ObserverPlace] { place.places(target, filter) }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if isGone { return }
    let before = place.root(step.old)
    if step.isDeleted(place.row, in: place.table.index) {
      isGone = true
      let count = place.count(step.old)
      if count > 0 { add(MapKeyChanges(ListDelta(replacing: count, with: 0), from: before, to: nil)) }
      return
    }
    let touched = filter.touchedElements(of: place, target, step)
    if let marked = place.marking(touched, in: place.delta(step), step) {
      add(MapKeyChanges(marked, from: before, to: place.root(step.new)))
    }
  }

  private func add(_ changes: MapKeyChanges) {
    if open == nil { open = changes } else { open?.merge(changes) }
  }

  override func closeSpan() {
    if let open { closed.append(open) }
    open = nil
  }

  override func dropOpen() { open = nil }

  override var isDue: Bool { isInitialDue || open != nil || !closed.isEmpty }

  override func deliver() {
    if isInitialDue {
      isInitialDue = false
      return body(.initial)
    }
    let spans = closed + (open.map { [$0] } ?? [])
    closed = []
    open = nil
    for span in spans where isActive {
      if span.deletions.isEmpty, span.insertions.isEmpty, span.modifications.isEmpty { continue }
      body(.update(span))
    }
  }
}
