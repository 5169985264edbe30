package import FirnEngine

/// What opening a store with an application's tables would change.
package struct MigrationPlanRecord: Sendable {
  package let storedVersion: UInt64
  package let differences: [SchemaDifference]
  /// Whether a new base would be written.
  package let isRewriting: Bool
  /// Values that a raised version loses, unless a block takes them over.
  package let losses: [LostValues]
}

extension DurableStore {
  /// The newest catalogue of a store, which may be open.
  ///
  /// - Complexity: O(bytes of the journal).
  package static func catalogue(
    _ path: String, _ fileSystem: any FileSystem, options given: Options = Options()
  ) throws -> Catalogue {
    try StoreError.wrapping {
      var options = given
      options.isReadOnly = true
      return try recoverForReading(path, nil, options, fileSystem) { $1.stored }
    }
  }

  /// What would be different for an application.
  ///
  /// - Complexity: O(bytes of the journal), and those of deltas where values would be lost.
  package static func migrationPlan(
    _ path: String, schema: [TableDescription], options: Options, fileSystem: any FileSystem
  ) throws -> MigrationPlanRecord {
    try StoreError.wrapping {
      var reading = options
      reading.isReadOnly = true
      return try recoverForReading(path, nil, reading, fileSystem) { _, recovery in
        let stored = recovery.stored
        let isRaised = options.schemaVersion > stored.schemaVersion
        var rules = MergeRules(options.migration, isRaised: isRaised)
        rules.isPlan = true
        let merge = try stored.merging(schema: schema, rules)
        // Without a new version nothing is dropped.
        let isRewriting = isRaised ? merge.rewriting.isNeeded : !merge.rewriting.filled.isEmpty
        let counts = merge.losses.isEmpty ? [:] : try recovery.rowCounts()
        return MigrationPlanRecord(
          storedVersion: stored.schemaVersion, differences: merge.differences, isRewriting: isRewriting,
          losses: merge.losses.map { LostValues($0, count: counts[$0.table] ?? 0) })
      }
    }
  }
}

/// Values of a column that a migration loses, unless a block takes them over.
package struct LostValues: Sendable, Hashable {
  package let className: String
  package let property: String
  /// Whether the application no longer has the property, rather than with another type.
  package let isRemoval: Bool
  package let count: Int

  init(_ loss: CatalogueMerge.Loss, count: Int) {
    className = loss.className
    property = loss.property
    isRemoval = loss.isRemoval
    self.count = count
  }
}

extension StoreRecovery {
  /// The values that are lost when rows are brought from a version to the application's tables.
  func losses(_ version: borrowing Version) -> [LostValues] {
    merge.losses.map { loss in
      let count = merge.map.table(loss.table).map { table in version.withContents { $0.rowCount(table) } }
      return LostValues(loss, count: count ?? 0)
    }
  }

  /// How many rows each table of the files has, by its number. No rows are read.
  fileprivate func rowCounts() throws -> [UInt32: Int] {
    var counts: [UInt32: Int] = [:]
    for state in files.base.directory.tables { counts[state.id] = state.rowCount }
    func count(_ effects: Effects) {
      for table in effects.tables {
        counts[merge.map.id(of: table.table), default: 0] += table.inserted.count - table.deleted.count
      }
    }
    for delta in files.deltas {
      try files.budget.releasing {
        let bytes = try delta.open(files.budget).effects(budget: files.budget)
        count(try bytes.withBytes { try Effects(decoding: $0, map: merge.map, budget: files.budget) })
      }
    }
    try readCommits { commit in
      try files.budget.releasing {
        let oldValues: Effects.OldValues = commit.hasOldValues ? .skipped : .missing
        count(try Effects(decoding: commit.payload, map: merge.map, budget: files.budget, oldValues: oldValues))
      }
    }
    return counts
  }
}
