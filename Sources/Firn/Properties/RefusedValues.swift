internal import FirnEngine

/// Values that cannot be stored, found out when they are set: committing the transaction throws.
extension ObjectBase {
  package final func _refuseCommit(_ slot: UInt64, _ problem: String) {
    let cell = _beginMutation(slot)
    guard let table = _table else { return }
    var name = "'\(table.model.name).\(table.model.properties[cell.column.index].name)'"
    if let key = table.layout.primaryKey {
      let key = cell.writer.contents.value(ColumnID(key), of: cell.key, in: cell.table)
      name += " of the object with primary key '\(key.text)'"
    }
    cell.writer.refuseCommit("Property \(name) cannot be stored: \(problem)")
  }
}

extension _ElementTarget {
  package func refuseCommit(_ problem: String) { writer.refuseCommit("An element cannot be stored: \(problem)") }
}

extension _ListElement {
  /// What is read in place of a stored element that cannot be converted, which is logged once for its type.
  package static func _elementSubstitute(for stored: Any, _ replacement: () -> Self) -> Self {
    Log.once("stored element of \(Self.self)") {
      "The stored element '\(stored)' cannot be converted to \(Self.self); it reads as the type's default."
    }
    return replacement()
  }
}

extension _NewRow {
  package func refuseCommit(_ column: Int, _ problem: String) {
    let table = inserter.pointee.layout
    inserter.pointee.writer.refuseCommit(
      "Property '\(table.name).\(table.descriptions[column].name)' of a new object cannot be stored: \(problem)")
  }
}
