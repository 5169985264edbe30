extension GraphContents {
  /// What is wrong with the owners of some embedded row: it has none, or several. Nil when each has one.
  ///
  /// - Complexity: O(embedded rows).
  package func ownerFault() -> String? {
    for table in layout.tables where table.isOwned {
      let id = TableID(table.index)
      let owning = (0..<table.backlinkCount).filter { index in
        let backlink = table.backlinks[index]
        return layout.tables[Int(backlink.originTable)].columns[Int(backlink.originColumn)].linkKind == .embedded
      }
      var fault: String?
      forEachKey(in: id) { key in
        if fault != nil { return }
        let count = owning.reduce(0) { $0 + (backlinks($1, of: key, in: id)?.count ?? 0) }
        if count != 1 { fault = "the embedded row \(key.rawValue) of '\(table.name)' has \(count) owners" }
      }
      if let fault { return fault }
    }
    return nil
  }
}
