extension CompiledPredicate {
  /// How the query is served, for people: `index city`, `primary key id, then filter`, `scan with filter age`.
  package func explain(in contents: GraphContents? = nil) -> String {
    let description = layout.tables[table.index]
    if let constant = constantResult { return constant ? "all rows of \(description.name)" : "no rows" }
    guard let access = contents.map(access(in:)) ?? accesses.first else {
      return "scan of \(description.name) with filter on \(filteredColumns)"
    }
    var parts: [String] = []
    for probe in access.probes {
      let name = description.descriptions[probe.columnIndex].name
      let part = (probe.column.isPrimaryKey ? "primary key " : "index ") + name
      if !parts.contains(part) { parts.append(part) }
    }
    return parts.joined(separator: ", ") + (access.isComplete ? "" : ", then filter on \(filteredColumns)")
  }

  private var filteredColumns: String {
    var names: [String] = []
    collect(predicate, &names)
    return names.joined(separator: ", ")
  }

  private func collect(_ predicate: Predicate, _ names: inout [String]) {
    switch predicate {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { collect(part, &names) }
    case .not(let inner): collect(inner, &names)
    case .compare(let path, _, _), .isIn(let path, _), .text(let path, _, _, _), .mixed(let path, _):
      add(path, &names)
    case .compareColumns(let left, _, let right):
      add(left, &names)
      add(right, &names)
    }
  }

  private func add(_ path: ColumnPath, _ names: inout [String]) {
    var current = layout.tables[table.index]
    var name = ""
    for link in path.links {
      name += current.descriptions[link.index].name + "."
      current = layout.tables[Int(current.columns[link.index].target)]
    }
    name += current.descriptions[path.column.index].name
    if !names.contains(name) { names.append(name) }
  }
}
