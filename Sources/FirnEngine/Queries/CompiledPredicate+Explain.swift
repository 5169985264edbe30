/// How the candidates of a condition are found, as data.
package struct AccessPlan: Equatable, Sendable {
  package enum Kind: Sendable {
    /// No row can match.
    case none
    /// Every row matches.
    case all
    case scan
    case indexes
  }

  package struct Use: Hashable, Sendable {
    package enum Kind: Sendable { case primaryKey, hash, link, ordered, places }
    package var kind: Kind
    package var name: String
  }

  package var kind: Kind
  /// The indexes that are read, each once.
  package var uses: [Use] = []
  /// How many rows they lead to, or are scanned.
  package var candidateCount = 0
  /// What is tested of each candidate; empty when all match.
  package var filter: [String] = []
}

extension CompiledPredicate {
  /// How the matches are found in one version.
  package func accessPlan(in contents: GraphContents) -> AccessPlan {
    if let constant = constantResult {
      return AccessPlan(kind: constant ? .all : .none, candidateCount: constant ? contents.rowCount(table) : 0)
    }
    guard let found = candidates(in: contents) else {
      return AccessPlan(kind: .scan, candidateCount: contents.rowCount(table), filter: filteredPaths)
    }
    let access = found.access
    let descriptions = layout.tables[table.index].descriptions
    var uses = access.probes.map { probe in
      let kind: AccessPlan.Use.Kind =
        probe.column.isPrimaryKey ? .primaryKey : (probe.column.storage == .link ? .link : .hash)
      return AccessPlan.Use(kind: kind, name: descriptions[probe.columnIndex].name)
    }
    uses += access.ordered.map {
      AccessPlan.Use(kind: $0.index.place == nil ? .ordered : .places, name: $0.index.name)
    }
    var seen: Set<AccessPlan.Use> = []
    return AccessPlan(
      kind: .indexes, uses: uses.filter { seen.insert($0).inserted }, candidateCount: found.count,
      filter: access.isComplete ? [] : filteredPaths)
  }

  /// The key paths that the condition reads, in alphabetical order.
  package var filteredPaths: [String] { predicate.reads.map { name(of: $0) }.sorted() }

  /// The key paths that closures read, in alphabetical order.
  package var closurePaths: [String] { predicate.closureReads.map { name(of: $0) }.sorted() }

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
