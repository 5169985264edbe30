internal import FirnEngine
internal import FirnReactive

/// Queries on collections of values. Their keys are the positions of the elements in the collection.
extension ResultsCore {
  /// Which collection the values are those of; traps for a query on rows.
  private var place: ListPlace {
    guard case .list(let owner, let row, let column) = source else { fatalError("Only collections hold values.") }
    return ListPlace(table: owner.table, row: row, column: column)
  }

  /// The observer of the elements in the order of the query.
  func valueObserver(_ body: @escaping (CollectionChange?) -> Void) -> DataObserver {
    let everything = instance.observers().stage.filter(ofEverythingIn: place.table.index, followsLinks: false)
    return ViewBlockObserver(
      everything, { [self] _, version in (version.withContents { makeValueView(in: $0) }, nil) }, body)
  }

  /// A view of the elements in the order of the query.
  func makeValueView(in contents: GraphContents) -> ValueView { ValueView(place, in: contents, run: rows(in:)) }

  /// The positions of the elements that satisfy a condition, ascending; the first `limit` of them.
  private func positions(
    _ predicate: ElementPredicate, in contents: GraphContents, limit: Int = .max
  ) -> [UInt64] {
    let shape = contents.layout.tables[place.table.index].listShape(place.column.index)
    return predicate.positions(in: place.elements(contents), shape, contents, limit: limit)
  }

  /// Takes out the positions of elements that do not satisfy a condition.
  func keepValues(_ keys: inout [UInt64], _ predicate: ElementPredicate, _ contents: GraphContents) {
    var isMatch = [Bool](repeating: false, count: contents.listCount(place.column, of: place.row, in: place.table))
    for position in positions(predicate, in: contents) { isMatch[Int(position)] = true }
    keys.removeAll { !isMatch[Int($0)] }
  }

  private func elementPredicate(_ predicate: Predicate) -> ElementPredicate {
    ElementPredicate(predicate, instance.store.graph.layout.tables[place.table.index].columns[place.column.index].type)
  }

  func ranks(in contents: GraphContents) -> ElementRanks {
    let layout = contents.layout.tables[place.table.index]
    return ElementRanks(
      place.elements(contents), type: layout.columns[place.column.index].type,
      shape: layout.listShape(place.column.index))
  }

  // MARK: Deriving

  /// The elements in their order; see `RealmCollection.sorted(ascending:nilsLast:)`.
  func sortedValues(ascending: Bool, nilsLast: Bool) -> ResultsCore {
    adding(.sortValues(ascending: ascending, nilsLast: nilsLast))
  }

  /// The first of equal elements; see `RealmCollection.distinct()`.
  func distinctValues() -> ResultsCore { adding(.distinctValues) }

  /// The elements that satisfy a condition, in the order so far.
  func filteredValues(_ predicate: Predicate) -> ResultsCore { adding(.filterValues(elementPredicate(predicate))) }

  // MARK: Reading

  /// The place of the first element in the order of the query that satisfies a condition.
  func indexOfValue(matching condition: Predicate) -> Int? {
    let predicate = elementPredicate(condition)
    return withEvaluation { evaluation, contents in
      if steps.isEmpty { return positions(predicate, in: contents, limit: 1).first.map { Int($0) } }
      let matches = Set(positions(predicate, in: contents))
      return evaluation.ordered(self, contents).firstIndex { matches.contains($0) }
    }
  }

  /// The element at the place that `choose` picks out of as many as there are; nil when it picks none.
  func value<Element: RealmCollectionValue>(_ choose: (Int) -> Int?) -> Element? {
    withOrder { positions, contents in
      guard let place = choose(positions.count), place < positions.count else { return nil }
      return loader(contents).map { $0(positions[place]) }
    }
  }

  /// The elements in the order of the query.
  func values<Element: RealmCollectionValue>() -> [Element] {
    withOrder { positions, contents in loader(contents).map { positions.map($0) } ?? [] }
  }

  /// Reads an element at a position in the collection; nil when the collection has none.
  private func loader<Element: RealmCollectionValue>(_ contents: GraphContents) -> ((UInt64) -> Element)? {
    guard let root = place.elements(contents) else { return nil }
    let shape = List<Element>._listShape
    let source = _ElementSource(table: table, mover: nil)
    return { position in
      let position = Int(position)
      return Element._loadElement(
        ListTree.get(root, position, shape), Element._isNullableElement && ListTree.isNull(root, position, shape),
        source)
    }
  }

  /// Calls `body` with the keys in their order and the content that they belong to, outside of any lock: elements of
  /// custom types are made by code of users.
  private func withOrder<Result>(_ body: ([UInt64], GraphContents) -> Result) -> Result {
    noteRead()
    if !instance.isFrozen, instance.isHomeForReading {
      let (keys, contents) = withEvaluation { ($0.ordered(self, $1), $1) }
      // Code of users may move the realm on.
      let version = instance.writer == nil ? instance.version : nil
      return withExtendedLifetime(version) { body(keys, contents) }
    }
    let version = instance.heldVersion()
    let keys = withEvaluation(of: version) { evaluation, contents in evaluation.ordered(self, contents) }
    return version.withContents { body(keys, $0) }
  }
}
