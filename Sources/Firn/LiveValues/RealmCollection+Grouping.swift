internal import FirnEngine
internal import FirnReactive

extension RealmCollection where Element: ObjectBase {
  /// The objects by one or several properties: which values there are, and how many objects have each, live.
  ///
  ///     let perGate = flights.grouped(by: \.status, \.gate)
  ///     let boarding = perGate.group(for: (.boarding, "B7"))?.count ?? 0
  ///
  /// Key paths may lead through links: `\.destination?.city`. Nothing is evaluated until the groups are used. Traps for an
  /// unmanaged collection, and for a key path that does not lead to a property that objects can be sorted by.
  public func grouped<each Key: _Persistable>(
    by keyPath: repeat KeyPath<Element, each Key>
  ) -> LiveGroups<(repeat each Key), Void> {
    let rows = _query.core
    var keys: [ColumnPath] = []
    for path in repeat each keyPath { keys.append(rows.valuePath(path, to: "group")) }
    let coding = GroupCoding<(repeat each Key), Void>(
      key: { rows, values in
        var reader = GroupKeyReader(rows: rows, values: values[...])
        return (repeat reader.next((each Key).self))
      }, stored: { key in storedValues(repeat each key) }, values: { _, _ in () })
    return LiveGroups(core: GroupsCore(rows, by: GroupKeys.checked(keys), []), coding: coding)
  }

  /// The objects by one or several properties, with what the objects of each group come to, live; see `grouped(by:)`.
  ///
  ///     let perStatus = flights.grouped(by: \.status) { ($0.average(of: \.delay), $0.max(of: \.delay)) }
  ///
  /// - Parameter aggregates: What is asked besides the number of objects: one aggregate, or several in a tuple.
  public func grouped<each Key: _Persistable, each Value>(
    by keyPath: repeat KeyPath<Element, each Key>,
    with aggregates: (LiveAggregates<Element>) -> (repeat LiveAggregate<Element, each Value>)
  ) -> LiveGroups<(repeat each Key), (repeat each Value)> {
    let rows = _query.core
    let counted = grouped(by: repeat each keyPath)
    let all = aggregates(LiveAggregates())
    var measures = LiveMeasures()
    for aggregate in repeat each all { measures.add(aggregate, in: rows) }
    let coding = GroupCoding<(repeat each Key), (repeat each Value)>(
      key: counted.coding.key, stored: counted.coding.stored,
      values: { [places = measures.places] rows, result in
        var reader = LiveResultReader(rows: rows, result: result, places: places[...])
        return (repeat reader.next(each all))
      })
    return LiveGroups(core: GroupsCore(rows, by: counted.core.query.keys, measures.measures), coding: coding)
  }
}

/// The values of a key as they are stored.
private func storedValues<each Key: _Persistable>(_ key: repeat each Key) -> [FirnEngine.Value] {
  var values: [FirnEngine.Value] = []
  for part in repeat each key { values.append(part._constant.value) }
  return values
}

private enum GroupKeys {
  /// Traps without key paths.
  static func checked(_ keys: [ColumnPath]) -> [ColumnPath] {
    if keys.isEmpty {
      fatalError("Objects cannot be grouped by no property: use liveValue for what all of them come to.")
    }
    return keys
  }
}
