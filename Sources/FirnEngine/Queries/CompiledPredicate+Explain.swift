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
    predicate.reads.map { name(of: $0) }.sorted().joined(separator: ", ")
  }

  /// The names along a path that is read.
  private func name(of path: [PathStep]) -> String {
    var current = table.index
    return path.map { step in
      switch step {
      case .column(let column):
        let description = layout.tables[current].descriptions[column.index]
        current = Int(layout.tables[current].columns[column.index].target)
        return description.name
      case .backlinks(let origin, let column):
        current = origin.index
        return "links from \(layout.tables[current].name).\(layout.tables[current].descriptions[column.index].name)"
      }
    }.joined(separator: ".")
  }
}
