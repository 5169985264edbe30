package import FirnEngine

/// What opening a store with an application's tables would change.
package struct MigrationPlanRecord: Sendable {
  package let storedVersion: UInt64
  package let differences: [SchemaDifference]
  /// Whether a new base would be written.
  package let isRewriting: Bool
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
  package static func migrationPlan(
    _ path: String, schema: [TableDescription], options: Options, fileSystem: any FileSystem
  ) throws -> MigrationPlanRecord {
    let stored = try catalogue(path, fileSystem, options: options)
    var rules = MergeRules()
    rules.isRaised = true
    rules.renames = options.migration.renames
    rules.embedded = options.migration.embedded
    rules.defaultValue = options.migration.defaultValue
    let merge = try stored.merging(schema: schema, rules)
    let isRaised = options.schemaVersion > stored.schemaVersion
    // Without a new version nothing is dropped.
    let isRewriting = isRaised ? merge.rewriting.isNeeded : !merge.rewriting.filled.isEmpty
    return MigrationPlanRecord(
      storedVersion: stored.schemaVersion, differences: merge.differences, isRewriting: isRewriting)
  }
}
