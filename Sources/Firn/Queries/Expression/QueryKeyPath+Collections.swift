/// Paths of typed queries, which know where collections are.
extension QueryKeyPath {
  init(_ path: ClassPath) {
    components = path.components
    collections = path.collections
  }

  /// Whether the path leads to several values.
  var needsAny: Bool { collections.count > (isAggregated ? 1 : 0) }

  var isAggregated: Bool {
    components.contains { if case .aggregate = $0 { true } else { false } }
  }

  /// Whether it leads into a map or a mixed value.
  var hasSubscripts: Bool {
    components.contains { component in
      switch component {
      case .index, .key, .anyElement: true
      case .property, .aggregate, .allKeys, .allValues, .itself, .variable: false
      }
    }
  }

  func appending(_ path: ClassPath) -> QueryKeyPath {
    if hasSubscripts {
      fatalError("Cannot apply key path to Map subscripts: compare the value for the key, or use `values`.")
    }
    var result = self
    result.collections += path.collections.map { $0 + components.count }
    result.components += path.components
    return result
  }

  func appending(_ component: Component) -> QueryKeyPath {
    var result = self
    // The value for a key is one value.
    if case .key = component, collections.last == components.count - 1 { result.collections.removeLast() }
    result.components.append(component)
    return result
  }

  /// The same with an operator behind the last collection.
  func aggregated(_ aggregate: QueryAggregate) -> QueryKeyPath {
    if isAggregated { fatalError("Only one aggregate may be in a key path: '\(QueryPrinter.text(of: self))'.") }
    guard let collection = collections.last else {
      fatalError(
        "Property '\(QueryPrinter.text(of: self))' is not a link or collection and can only appear at the end of a "
          + "keypath: '\(aggregate.rawValue)' needs a collection.")
    }
    var result = self
    let isOfValues = components.dropFirst(collection + 1).first == .allValues
    result.components.replaceSubrange(
      collection + 1..<collection + (isOfValues ? 2 : 1), with: [.aggregate(aggregate)])
    return result
  }
}
