/// Completes a loaded graph: directories first, then everything that leads from values and targets to rows.
struct GraphAssembly {
  let loader: GraphLoader
  let store: BlockStore

  private var layout: GraphLayout { loader.layout }

  /// The root of the version, the next key of each table, hidden ones included, and what unique indexes are to be checked
  /// for.
  func assemble(
    _ parts: [TableParts]
  ) throws -> (root: Block, nextKeys: [UInt64], suspects: [Int: Set<UInt64>]) {
    let tables = layout.tables.map { TableAssembly(layout: $0) }
    for index in 0..<layout.visibleCount { try join(parts[index], tables[index]) }
    for index in 0..<layout.visibleCount { tables[index].setOrdinals() }
    try run(tasks(for: tables), tables)
    for index in 0..<layout.visibleCount { tables[index].clearOrdinals() }

    let root = VersionRoot.make(tables: tables.map { $0.root.unsafelyUnwrapped }, layout: layout, store: store)
    if let fault = GraphContents(root: root, layout: layout).nestingFault() {
      throw LoadError(message: "Mixed values are not sound: \(fault).")
    }
    let suspects = Guarded([Int: Set<UInt64>]())
    try run(orderedTasks(root, suspects), tables)
    return (root, tables.map(\.nextKey), suspects.withLock { $0 })
  }

  private func join(_ parts: TableParts, _ table: TableAssembly) throws {
    let name = table.layout.name
    let sorted = parts.parts.sorted { $0.firstKey < $1.firstKey }
    for index in sorted.indices.dropFirst() where sorted[index - 1].lastKey >= sorted[index].firstKey {
      throw LoadError(
        message: "The row keys of table '\(name)' do not ascend: the groups around \(sorted[index].firstKey) overlap.")
    }
    let end = sorted.last.map { $0.lastKey + 1 } ?? 0
    let nextKey = parts.nextKey ?? end
    if nextKey < end {
      throw LoadError(message: "Table '\(name)' has the row key \(end - 1), but \(nextKey) is still to be given out.")
    }
    if nextKey > 1 << 40 { throw LoadError(message: "The next row key of table '\(name)' is beyond 2^40.") }
    let clusters = ClusterJoiner(layout: table.layout, store: store).join(sorted, nextKey: nextKey)
    table.setClusters(clusters, nextKey: nextKey, store: store)
    if table.rowCount > GraphLimits().rowCountMax {
      throw LoadError(message: "Table '\(name)' has \(table.rowCount) rows, at most 2^32 - 1 are possible.")
    }
  }

  /// What builds the ordered indexes of a version that is complete otherwise.
  private func orderedTasks(_ root: Block, _ suspects: Guarded<[Int: Set<UInt64>]>) -> [LoadTask] {
    layout.orderedIndexes.map { index in
      let contents = GraphContents(root: root, layout: layout)
      return LoadTask(cost: contents.rowCount(index.table)) { store in
        let built = OrderedBuilder(index: index, contents: contents).build(store)
        // Each task writes a place of its own.
        VersionRoot.setIndex(root, index.slot, built.root)
        if !built.suspects.isEmpty { suspects.withLock { $0[index.number] = built.suspects } }
      }
    }
  }

  /// What makes primary key indexes, backlinks and postings.
  private func tasks(for tables: [TableAssembly]) -> [LoadTask] {
    var tasks: [LoadTask] = []
    for table in tables.prefix(layout.visibleCount) {
      let rowCount = table.rowCount
      if let column = table.layout.primaryKey {
        tasks.append(
          LoadTask(cost: rowCount * 2) { store in
            try PrimaryKeyAssembly(layout: layout, table: table, column: column).build(store)
          })
      }
      for column in 0..<table.layout.columnCount {
        let description = table.layout.columns[column]
        if description.type == .mixed {
          tasks.append(
            LoadTask(cost: rowCount) { store in
              let links = try MixedLinks(origin: table, column: column).byTable(in: layout)
              for (id, links) in links.sorted(by: { $0.key < $1.key }) {
                let target = tables[id.index]
                try BacklinkAssembly(
                  origin: table, column: column, target: target,
                  backlink: target.layout.firstMixedBacklink + Int(description.backlink), mixed: links
                ).build(store)
              }
            })
        } else if description.type == .link {
          let target = tables[Int(description.target)]
          tasks.append(
            LoadTask(cost: rowCount) { store in
              try BacklinkAssembly(
                origin: table, column: column, target: target, backlink: Int(description.backlink)
              ).build(store)
            })
        } else if description.target >= 0 {
          let values = tables[Int(description.target)]
          let dictionary = loader.dictionaries[table.layout.index][column]
          tasks.append(
            LoadTask(cost: rowCount) { store in
              try PostingAssembly(
                layout: layout, origin: table, column: column, values: values, dictionary: dictionary
              ).build(store)
            })
        }
      }
    }
    return tasks
  }

  private func run(_ tasks: [LoadTask], _ tables: [TableAssembly]) throws {
    if tasks.isEmpty { return }
    let total = tables.reduce(0) { $0 + $1.rowCount }
    let crew = LoadCrew(tasks: tasks.sorted { $0.cost > $1.cost })
    // A thread costs as much as a few thousand rows.
    let threadCount = total < 20_000 ? 1 : min(loader.threadCount, tasks.count)
    let others = (1..<max(1, threadCount)).map { _ in loader.makeStore() }
    defer { for other in others { store.adopt(other) } }
    try crew.run(with: [store] + others)
  }
}
