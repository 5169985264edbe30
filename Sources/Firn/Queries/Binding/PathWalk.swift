internal import FirnEngine

/// Follows a path of names through the classes of a store.
struct PathWalk {
  private let store: Store
  private let path: QueryKeyPath
  private var place: Place
  /// The collections that were entered.
  private var collections: [CollectionPath] = []
  /// The links since then.
  private var links: [ColumnID] = []
  /// The last of them.
  private var link: QueryShape?
  /// What the row is where the walk began, if it is no object.
  private var start: QueryShape?
  /// The operator whose property is still to come.
  private var aggregate: (operation: QueryAggregate, collection: CollectionPath, shape: QueryShape)?

  private enum Place {
    case row(table: Int)
    case column(ColumnID, QueryShape)
    case collection(CollectionPath.Elements, QueryShape)
    case keys(CollectionPath)
    /// Inside of a map or a mixed value; whether there may be more inside.
    case inside(ColumnPath, [NestedStep], isMixed: Bool)
    /// A value that has no row.
    case value(QueryShape)
    /// The end of the path.
    case result(Operand, BoundPath.Content)
  }

  /// Where a path begins.
  enum Start {
    case row(table: Int)
    /// A row that stands for a value of a custom type.
    case customRow(QueryShape, table: Int)
    case value(QueryShape)
  }

  private init(_ path: QueryKeyPath, from start: Start, in store: Store) {
    self.store = store
    self.path = path
    switch start {
    case .row(let table): place = .row(table: table)
    case .customRow(let shape, let table):
      place = .row(table: table)
      self.start = shape
    case .value(let shape): place = .value(shape)
    }
  }

  /// Follows a path whose first component is neither `SELF` nor a variable.
  static func follow(
    _ components: ArraySlice<QueryKeyPath.Component>, of path: QueryKeyPath, from start: Start, in store: Store
  ) throws(QueryError) -> BoundPath {
    var walk = PathWalk(path, from: start, in: store)
    for component in components { try walk.step(component) }
    return try walk.finished()
  }

  /// Follows a path to a collection of objects: the collection, and the table of the objects.
  static func collection(
    _ components: ArraySlice<QueryKeyPath.Component>, of path: QueryKeyPath, from start: Start, in store: Store
  ) throws(QueryError) -> (CollectionPath, table: Int) {
    var walk = PathWalk(path, from: start, in: store)
    for component in components { try walk.step(component) }
    guard walk.collections.isEmpty, walk.aggregate == nil, case .collection(let elements, let shape) = walk.place,
      let table = shape.target, shape.type == .object
    else {
      throw walk.error(
        "SUBQUERY is about the elements of one collection of objects, which may lie behind links: '\(walk.name)' is none.",
        expected: "a collection of objects")
    }
    return (CollectionPath(links: walk.links, elements), table)
  }

  private var name: String { QueryPrinter.text(of: path) }

  private func error(_ message: String, expected: String) -> QueryError {
    QueryError(message, expected: expected, found: name, at: path.position)
  }

  // MARK: Steps

  private mutating func step(_ component: QueryKeyPath.Component) throws(QueryError) {
    if case .result = place {
      throw error(
        "Nothing can follow the operator in key path '\(name)': it must appear at the end.",
        expected: "the end of the key path")
    }
    switch component {
    case .property(let name): try property(name)
    case .aggregate(let operation): try aggregate(operation)
    case .allKeys: try keys()
    case .allValues:
      guard case .collection(_, let shape) = place, shape.declared.collection == .map else {
        throw error(
          "@allValues must follow a dictionary property; it does not in '\(name)'.", expected: "a dictionary")
      }
    case .key(let key): try enter(.key(Array(key.utf8)))
    case .index(let index): try enter(.index(index))
    case .anyElement: try enter(.any)
    case .itself, .variable:
      throw error(
        "SELF and variables can only begin a key path; one does not in '\(name)'.", expected: "a property")
    }
  }

  private mutating func property(_ property: String) throws(QueryError) {
    var shown: String { ShownValue.text(property) }
    switch place {
    case .row(let table): try lookUp(property, in: table)
    case .collection(let elements, let shape):
      guard shape.type == .object, let table = shape.target else {
        throw error(
          "Property '\(shape.name)' holds values, and can only be followed by a collection operation, such as @count: "
            + "'\(ShownValue.text(property))' is none (in '\(name)').", expected: "a collection operation")
      }
      if let aggregate {
        throw error(
          "\(aggregate.operation.rawValue) is about one collection; '\(shape.name)' is a second one in '\(name)'.",
          expected: "one collection")
      }
      collections.append(CollectionPath(links: links, elements))
      links = []
      link = nil
      try lookUp(property, in: table)
    case .column(_, let shape) where shape.type == .any:
      throw error(
        "A key path cannot lead through the mixed property '\(shape.name)', as '\(name)' does.",
        expected: "the end of the key path")
    case .column(_, let shape):
      throw error(
        "Property '\(shape.name)' is not a link or collection and can only appear at the end of a keypath; in '\(name)' "
          + "'\(shown)' follows.", expected: "the end of the key path")
    case .value(let shape):
      throw error("Values have no properties: '\(shown)' cannot follow '\(shape.name)'.", expected: "SELF")
    case .keys:
      throw error(
        "@allKeys must appear at the end of a key path; in '\(name)' '\(shown)' follows.",
        expected: "the end of the key path")
    case .inside:
      throw error(
        "Cannot apply key path to Map subscripts: in '\(name)' '\(shown)' follows a subscript.",
        expected: "the end of the key path")
    case .result: break
    }
  }

  private mutating func lookUp(_ property: String, in table: Int) throws(QueryError) {
    let model = store.model(table)
    if let column = model.columns[ExactKey(property)] {
      let declared = model.properties[column].shape
      let target = Int(store.graph.layout.tables[table].columns[column].target)
      var shape = QueryShape(
        declared: declared, name: "\(model.name).\(property)", target: declared.type == .object ? target : nil)
      if declared.isCollection {
        place = .collection(.column(ColumnID(column)), shape)
      } else if declared.type == .object {
        links.append(ColumnID(column))
        link = shape
        place = .row(table: target)
      } else {
        shape.isBehindLink = !links.isEmpty
        place = .column(ColumnID(column), shape)
      }
      return
    }
    if let linking = model.linkingProperties.first(where: { $0.name == property }) {
      let origin = store.schema.origin(of: linking)
      var declared = _PropertyShape(.object, target: linking.origin)
      declared.collection = .list
      let shape = QueryShape(declared: declared, name: "\(model.name).\(property)", target: origin.table.index)
      place = .collection(.backlinks(origin: origin.table, origin.column), shape)
      return
    }
    let names = model.properties.filter { !$0.isHidden }.map(\.name) + model.linkingProperties.map(\.name)
    throw error(
      "Property '\(ShownValue.text(property))' not found in object of type '\(model.name)'."
        + Spelling.suggestion(for: property, among: names),
      expected: names.count > 20 ? "a property of '\(model.name)'" : "one of \(names.joined(separator: ", "))")
  }

  private mutating func aggregate(_ operation: QueryAggregate) throws(QueryError) {
    if aggregate != nil {
      throw error("There can be at most one collection operation in a key path: '\(name)'.", expected: "one operation")
    }
    guard case .collection(let elements, let shape) = place else {
      if case .column(_, let shape) = place {
        throw error(
          "Property '\(shape.name)' is not a link or collection and can only appear at the end of a keypath; in '\(name)' "
            + "\(operation.rawValue) follows.", expected: "a collection")
      }
      throw error(
        "\(operation.rawValue) must be applied to a collection, which does not stand before it in '\(name)'.",
        expected: "a collection")
    }
    let collection = CollectionPath(links: links, elements)
    if operation == .count {
      place = .result(.elementCount(collection), .aggregate(.count, shape))
    } else if shape.type == .object, let table = shape.target {
      aggregate = (operation, collection, shape)
      links = []
      link = nil
      place = .row(table: table)
    } else {
      try check(operation, shape)
      place = .result(
        .aggregate(operation.stored, collection, of: nil), .aggregate(operation, shape))
    }
  }

  /// Whether an operator can be applied to values.
  private func check(_ operation: QueryAggregate, _ shape: QueryShape) throws(QueryError) {
    if !shape.isNumeric {
      throw error(
        "\(operation.rawValue) can only be applied to a collection of numeric values: '\(shape.name)' is of type "
          + "'\(shape.typeName)'.", expected: "numbers")
    }
    if shape.type == .date, operation == .sum || operation == .average {
      throw error("Cannot sum or average date properties: '\(shape.name)' is one.", expected: "numbers")
    }
  }

  private mutating func keys() throws(QueryError) {
    guard case .collection(.column(let column), let shape) = place, shape.declared.collection == .map else {
      throw error("@allKeys must follow a dictionary property; it does not in '\(name)'.", expected: "a dictionary")
    }
    place = .keys(CollectionPath(links: links, .keys(column)))
  }

  private mutating func enter(_ step: NestedStep) throws(QueryError) {
    switch place {
    case .column(let column, let shape) where shape.type == .any:
      place = .inside(ColumnPath(links: links, column), [step], isMixed: true)
    case .collection(.column(let column), let shape) where shape.declared.collection == .map:
      guard case .key = step else {
        throw error(
          "Only string keys are allowed for '\(shape.name)', which is a dictionary: '\(name)'.", expected: "a key")
      }
      place = .inside(ColumnPath(links: links, column), [step], isMixed: shape.type == .any)
    case .inside(let path, let steps, let isMixed):
      if !isMixed {
        throw error(
          "There can be one subscript only, because nested dictionaries queries are only allowed in mixed properties: "
            + "'\(name)'.", expected: "one subscript")
      }
      place = .inside(path, steps + [step], isMixed: true)
    default:
      throw error(
        "Only dictionaries and realm `Any` support subscript predicates: '\(name)' has one elsewhere.",
        expected: "a dictionary or a mixed property")
    }
  }

  // MARK: The end

  private mutating func finished() throws(QueryError) -> BoundPath {
    if let aggregate { return try finished(aggregate) }
    switch place {
    case .row(let table):
      if let last = links.last, let link {
        return bound(.column(ColumnPath(links: Array(links.dropLast()), last)), .values(link))
      }
      if let start { return bound(.element, .values(start)) }
      let declared = _PropertyShape(.object)
      return bound(.element, .values(QueryShape(declared: declared, name: store.model(table).name, target: table)))
    case .column(let column, let shape): return bound(.column(ColumnPath(links: links, column)), .values(shape))
    case .collection(let elements, let shape):
      collections.append(CollectionPath(links: links, elements))
      return bound(.element, .values(shape))
    case .keys(let collection):
      collections.append(collection)
      return bound(.element, .keys)
    case .inside(let path, let steps, _): return bound(.inside(path, steps), .inside)
    case .value(let shape): return bound(.element, .values(shape))
    case .result(let operand, let content): return bound(operand, content)
    }
  }

  private func finished(
    _ aggregate: (operation: QueryAggregate, collection: CollectionPath, shape: QueryShape)
  ) throws(QueryError) -> BoundPath {
    guard case .column(let column, let shape) = place else {
      throw error(
        "\(aggregate.operation.rawValue) of '\(aggregate.shape.name)' must be followed by a numeric property of the "
          + "objects, as in '\(aggregate.shape.name).\(aggregate.operation.rawValue).age': '\(name)'.",
        expected: "a numeric property")
    }
    try check(aggregate.operation, shape)
    return bound(
      .aggregate(aggregate.operation.stored, aggregate.collection, of: ColumnPath(links: links, column)),
      .aggregate(aggregate.operation, shape))
  }

  private func bound(_ operand: Operand, _ content: BoundPath.Content) -> BoundPath {
    BoundPath(name: name, collections: collections, operand: operand, content: content, position: path.position)
  }
}

extension QueryAggregate {
  /// What the engine calls it; counts are no aggregates there.
  fileprivate var stored: Aggregate {
    switch self {
    case .count: fatalError("The number of elements is no aggregate of them.")
    case .min: .min
    case .max: .max
    case .sum: .sum
    case .average: .average
    }
  }
}
