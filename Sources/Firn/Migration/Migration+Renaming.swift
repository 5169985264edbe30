internal import FirnDurability
internal import FirnEngine

extension Migration {
  /// Gives the values of a property to another one, which the program has in its place. Both names are those under which
  /// files store properties.
  ///
  /// The opening fails when the block has returned if the class or the old property does not exist, if the program still has the
  /// old property, if types or the classes that links lead to differ, and for a property that was optional and is required now.
  /// A new name that the program does not have can be the old one of a later call, so that blocks that go through several
  /// versions work; it must not stay.
  ///
  /// An earlier program may have added the new property to the file without a declared rename. Objects in which it was
  /// written then keep it.
  ///
  /// ``ObjectBase/renamedProperties`` does the same without a block, and without copying.
  ///
  /// - Complexity: O(values).
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    checkIsRunning()
    let problem = "Cannot rename property '\(typeName).\(oldName)'"
    guard let table = store.tables.firstIndex(where: { $0.name == typeName }), store.tables[table].isInStore else {
      return fail("\(problem): class '\(typeName)' is not in the file, because it does not exist there.")
    }
    guard store.tables[table].isInApplication else {
      return fail("\(problem): class '\(typeName)' has been removed from the Realm.")
    }
    let source: ColumnID
    if let moved = renamed[table]?.removeValue(forKey: oldName) {
      source = moved
    } else {
      guard let column = store.tables[table].storedColumns.firstIndex(where: { $0?.name == oldName }) else {
        return fail("\(problem) to '\(newName)' because it does not exist.")
      }
      if newRealm.store.schema.models[table].properties.contains(where: { $0.columnName == oldName }) {
        return fail("\(problem) to '\(newName)' because the source property still exists.")
      }
      source = ColumnID(column)
    }
    let model = newRealm.store.schema.models[table]
    guard let property = model.properties.first(where: { $0.columnName == newName }) else {
      renamed[table, default: [:]][newName] = source
      return
    }
    // Taken over already, because the class declares it.
    if property.column == source.index { return }
    let layout = store.graph.layout.tables[table]
    let (old, new) = (layout.descriptions[source.index], layout.descriptions[property.column])
    guard old.type == new.type, old.collection == new.collection, old.target == new.target else {
      return fail("\(problem) to '\(newName)' because it would change from type '\(name(old))' to '\(name(new))'.")
    }
    if old.isNullable, !new.isNullable {
      return fail("\(problem) to '\(newName)' because it would change from optional to required.")
    }
    let (writer, target) = (Realm(newRealm).requireWriter(), ColumnID(property.column))
    let stored = store.tables[table].storedColumns[property.column]
    writer.moveValues(of: source, to: target, in: TableID(table)) { key in
      // The file has the new property as well: an earlier program added it without a rename.
      stored.map { !writer.contents.isWritten($0, target, of: key, in: TableID(table)) } ?? true
    }
  }

  /// Notes names that nobody has at the end.
  func checkRenames() {
    for (table, names) in renamed {
      for name in names.keys.sorted() {
        fail("Renamed property '\(store.tables[table].name).\(name)' does not exist.")
      }
    }
  }

  private func name(_ column: ColumnDescription) -> String {
    let name = column.target.map { store.tables[$0.index].name } ?? PropertyType(column.type).name
    return switch column.collection {
    case nil: name
    case .list: "array<\(name)>"
    case .set: "set<\(name)>"
    case .map: "dictionary<string, \(name)>"
    }
  }
}
