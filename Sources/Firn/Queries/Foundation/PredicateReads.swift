internal import FirnEngine
internal import Foundation

/// What parts of a predicate read, and whether they may fail.
///
/// Errors are towards more: what comes from one of several objects may come from each.
struct PredicateReads {
  /// An object, or the objects of a collection.
  private struct Place {
    var path: [PathStep]
    var table: Int
  }

  private(set) var paths: Set<[PathStep]> = []
  /// Whether evaluating may throw, or end the process as arithmetic does.
  private(set) var mayFail = false
  private let store: Store
  private var places: [PredicateExpressions.VariableID: [Place]]
  private var depth = 0

  static func of(
    _ nodes: [any ExpressionNode], _ variable: PredicateExpressions.VariableID, _ core: ResultsCore
  ) -> PredicateReads {
    var reads = PredicateReads(
      store: core.instance.store, places: [variable: [Place(path: [], table: core.tableIndex)]])
    for node in nodes { _ = reads.walk(node) }
    return reads
  }

  private init(store: Store, places: [PredicateExpressions.VariableID: [Place]]) {
    self.store = store
    self.places = places
  }

  static func trapForDepth() -> Never {
    fatalError(
      "A predicate has more than \(PredicateLimits.depthMax) conditions within each other. Join them by && or ||, of which "
        + "chains may have any length.")
  }

  /// The objects that a part stands for, or that are in the collection that it is.
  private mutating func walk(_ node: any ExpressionNode) -> [Place] {
    depth += 1
    defer { depth -= 1 }
    if depth > 4 * PredicateLimits.depthMax { Self.trapForDepth() }
    switch node.shape {
    case .value: return []
    case .variable(let variable): return places[variable] ?? []
    case .property(let root, let keyPath):
      let roots = walk(root)
      guard let type = root.outputType as? ObjectBase.Type else { return roots }
      guard let name = ExactProperty.name(of: keyPath, on: type) else {
        fatalError(
          "A predicate on '\(type.className())' uses a property that is not persisted: what it reads is not known. Use the "
            + "persisted ones that it is made of.")
      }
      return roots.compactMap { follow(name, from: $0) }
    case .and: return each(node.operands(isAnd: true))
    case .or: return each(node.operands(isAnd: false))
    case .not(let part): return none([part])
    case .equal(let left, let right, _), .order(let left, _, let right): return none([left, right])
    case .isIn(let sequence, let element): return none([sequence, element])
    case .isWithin(let range, let element): return none([range, element])
    case .begins(let base, let prefix): return none([base, prefix])
    case .contains(let base, let part): return none([base, part])
    case .flatMap(let wrapped, let variable, let transform):
      places[variable] = walk(wrapped)
      return walk(transform)
    case .quantified(let sequence, let variable, let test, _):
      places[variable] = walk(sequence)
      return none([test])
    case .filter(let sequence, let variable, let test):
      let elements = walk(sequence)
      places[variable] = elements
      _ = walk(test)
      return elements
    case .coalesce(let left, let right): return walk(left) + walk(right)
    case .choice(let test, let first, let second):
      _ = walk(test)
      return walk(first) + walk(second)
    case .other(let parts, let mayFail):
      if mayFail, node.constant == nil { self.mayFail = true }
      return parts.flatMap { walk($0) }
    }
  }

  private mutating func none(_ parts: [any ExpressionNode]) -> [Place] {
    for part in parts { _ = walk(part) }
    return []
  }

  private mutating func each(_ parts: [any ExpressionNode]) -> [Place] { none(parts) }

  private mutating func follow(_ name: String, from place: Place) -> Place? {
    let model = store.model(place.table)
    if let column = model.columns[ExactKey(name)] {
      let path = place.path + [.column(ColumnID(column))]
      paths.insert(path)
      let shape = model.properties[column].shape
      guard shape.type == .object else { return nil }
      let target = Int(store.graph.layout.tables[place.table].columns[column].target)
      if shape.custom == nil { return Place(path: path, table: target) }
      // A value that is made of all members of an embedded object.
      for member in store.model(target).properties.indices { paths.insert(path + [.column(ColumnID(member))]) }
      return nil
    }
    guard let linking = model.linkingProperties.first(where: { $0.name == name }) else { return nil }
    let origin = store.schema.origin(of: linking)
    let path = place.path + [.backlinks(origin: origin.table, origin.column)]
    paths.insert(path)
    return Place(path: path, table: origin.table.index)
  }
}
