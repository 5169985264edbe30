internal import FirnEngine

// Properties that may have another name in the application than in the store, declared late or not at all.
extension CatalogueMerger {
  /// Notes the rename of a column to another one that the store has as well, because a program added it without a
  /// declared rename. Its values go to the rows in which nobody has written the other column.
  ///
  /// - Parameter renamed: The names of old columns by those of new ones.
  /// - Returns: Whether the column is the old one of such a rename.
  mutating func renameLate(_ column: Catalogue.Column, _ renamed: [String: String], in index: Int) -> Bool {
    let place = places[index]
    guard
      let own = schema[index].columns.firstIndex(where: { renamed[$0.storedName] == column.name }),
      let successor = new.tables[place].columns.first(where: { $0.name == schema[index].columns[own].storedName }),
      // It was not made by this opening, which is what renames and changes of the type do.
      old.tables[place].columns.contains(where: { $0.id == successor.id }),
      canTakeOver(column, schema[index].columns[own])
    else { return false }
    differences.append(.propertyRenamed(schema[index].name, from: column.name, to: successor.name))
    if rules.isRaised {
      new.drop(column.id, from: place)
      let hasOneDefault = rules.defaultValue(index, own) != .perRow
      rewriting.rename(column, to: successor, in: ids[index], hasOneDefault: hasOneDefault)
    }
    return true
  }

  /// Notes that columns of the application which the store lacks may be others under new names: columns of the same
  /// type that the last program had and the application lacks.
  mutating func notePossibleRenames(from left: [Catalogue.Column], to added: [Int], in index: Int) {
    let removed = rules.removed[schema[index].name] ?? []
    let candidates = left.filter { !$0.isLeftBehind && !removed.contains($0.name) }
    if candidates.isEmpty { return }
    for column in added {
      let description = schema[index].columns[column]
      let names = candidates.filter { canTakeOver($0, description) }.map(\.name)
      if names.isEmpty { continue }
      differences.append(.propertyPerhapsRenamed(schema[index].name, from: names, to: description.storedName))
    }
  }

  /// Whether a renamed column would keep its values.
  private func canTakeOver(_ column: Catalogue.Column, _ description: ColumnDescription) -> Bool {
    typeName(column) == description.typeName(in: schema) && (!column.isNullable || description.isNullable)
  }

  /// Says what to do about columns that may have been renamed; empty if there are none.
  var adviceOnRenames: String {
    var lines = ""
    for case .propertyPerhapsRenamed(let name, let old, let new) in differences {
      let oldNames = old.map { "\"\($0)\"" }.joined(separator: ", ")
      lines +=
        "If '\(name).\(new)' is the former '\(old[0])', declare renamedProperties in '\(name)' as "
        + "[\"\(old[0])\": \"\(new)\"] and raise Configuration.schemaVersion: the values stay. If it is not, declare "
        + "removedProperties as [\(oldNames)], or raise Configuration.schemaVersion without a rename, which drops the "
        + "old values.\n"
    }
    return lines
  }
}
