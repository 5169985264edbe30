/// An ordered index of a table as the schema declares it.
package struct IndexDescription: Hashable, Sendable {
  /// What messages and explanations call it.
  package var name: String
  /// What rows are ordered by, the first path first: columns of the table, or of tables that to-one links lead to. No
  /// collections.
  package var paths: [ColumnPath]
  /// Whether no two rows may agree in all values. Rows with a null among them agree with none.
  package var isUnique: Bool

  package init(name: String, paths: [ColumnPath], isUnique: Bool = false) {
    self.name = name
    self.paths = paths
    self.isUnique = isUnique
  }
}
