internal import FirnEngine
internal import FirnReactive

/// What some aggregates ask of groups, and where each finds its result.
struct LiveMeasures {
  private(set) var measures: [GroupQuery.Measure] = []
  /// For each aggregate, nil for the number of objects.
  private(set) var places: [Int?] = []

  /// Adds what an aggregate asks; equal ones ask once.
  mutating func add<Element, Value>(_ aggregate: LiveAggregate<Element, Value>, in rows: ResultsCore) {
    guard let measure = aggregate.measure(in: rows) else { return places.append(nil) }
    if let known = measures.firstIndex(of: measure) { return places.append(known) }
    places.append(measures.count)
    measures.append(measure)
  }
}

/// Takes the results of aggregates one after the other, each in its type.
struct LiveResultReader {
  let rows: ResultsCore
  let result: GroupResult
  var places: ArraySlice<Int?>

  mutating func next<Element, Value>(_ aggregate: LiveAggregate<Element, Value>) -> Value {
    let stored = places.removeFirst().map { result.values[$0] } ?? .null
    return aggregate.value(rows, result.count, stored)
  }
}

/// Takes the values of a key one after the other, each in its type.
struct GroupKeyReader {
  let rows: ResultsCore
  var values: ArraySlice<FirnEngine.Value>

  /// A stored value that the type does not know reads as its default.
  mutating func next<Key: _Persistable>(_ type: Key.Type) -> Key {
    let value = values.removeFirst()
    if Key.self == AnyRealmValue.self,
      let key = AnyRealmValue(value, in: rows.instance, isDynamic: rows.table.isDynamic) as? Key
    {
      return key
    }
    return Key._make(_StoredValue(value)) ?? Key._default()
  }
}
