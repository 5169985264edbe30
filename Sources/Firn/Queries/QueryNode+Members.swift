internal import FirnEngine

// Values of custom types that are stored as embedded objects are equal when all members are.
extension QueryNode {
  /// A member of the embedded objects that a property of a custom type is stored as.
  struct Member {
    let property: ClassModel.Property
    let path: ColumnPath
  }

  /// The members, if the expression is a property of such a type; nil for all others. Traps when one cannot be compared.
  var customMembers: [Member]? {
    guard let (core, links, table) = object, let last = links.last else { return nil }
    let (schema, layout) = (core.instance.store.schema, core.instance.store.graph.layout)
    var owner = core.tableIndex
    for link in links.dropLast() { owner = Int(layout.tables[owner].columns[link.index].target) }
    guard schema.models[owner].properties[last.index].shape.custom != nil else { return nil }
    return schema.models[table].properties.enumerated().map { column, property in
      if property.shape.isCollection || property.shape.type == .object {
        fatalError(
          "Unsupported property '\(schema.models[table].name).\(property.name)' for memberwise equality query: it is a "
            + "\(property.shape.isCollection ? "collection" : "link"). Compare the members that count one by one, through "
            + "persistableValue.")
      }
      return Member(property: property, path: ColumnPath(links: links, ColumnID(column)))
    }
  }

  func compareMembers(_ comparison: Comparison, _ object: ObjectBase, _ members: [Member]) -> QueryNode {
    var parts = [Predicate.compare(path, .notEqual, .null)]
    for member in members {
      let value = Unwrapping.value(member.property.read(object)) as? any _QueryOperand
      parts.append(QueryNode(member.path).compare(.equal, value?._constant ?? _Constant(.null)).predicate)
    }
    return QueryNode(comparison == .equal ? Predicate.and(parts) : .not(.and(parts)))
  }

  func compareMembers(
    _ comparison: Comparison, _ other: QueryNode, _ members: [Member], _ others: [Member]
  ) -> QueryNode {
    func areThere(_ comparison: Comparison) -> [Predicate] {
      [.compare(path, comparison, .null), .compare(other.path, comparison, .null)]
    }
    let equal = zip(members, others).map { Predicate.compareColumns($0.path, .equal, $1.path) }
    let condition = Predicate.or([.and(areThere(.equal)), .and(areThere(.notEqual) + equal)])
    return QueryNode(comparison == .equal ? condition : .not(condition))
  }
}
