// A store that is open already, for somebody who asks for it in another way.
extension Store {
  /// Itself, unless it was opened in another way than is asked for.
  func checked(_ wanted: Realm.Configuration) throws -> Store {
    try check(\.readOnly, "readOnly", is: "read permissions", wanted)
    try check(\.encryptionKey, "encryptionKey", is: "encryption key", wanted)
    let options = differentOptions(wanted)
    if !options.isEmpty {
      throw Realm.Error(
        .fail,
        "The Realm \(wanted.name) was already opened with different options: \(options.joined(separator: ", ")). "
          + "Use the same values everywhere, or close it first.", fileURL: wanted.fileURL)
    }
    return self
  }

  /// Throws when an option is not the one that the store was opened with.
  private func check<Option: Equatable>(
    _ option: KeyPath<Realm.Configuration, Option>, _ name: String, is meaning: String, _ wanted: Realm.Configuration
  ) throws {
    if configuration[keyPath: option] == wanted[keyPath: option] { return }
    throw Realm.Error(
      .fail,
      "The Realm \(wanted.name) was already opened with different \(meaning). Use the same value of "
        + "Configuration.\(name) everywhere.", fileURL: wanted.fileURL)
  }

  /// The options that are those of the whole database, and are asked for with other values: a sentence's part for each.
  private func differentOptions(_ wanted: Realm.Configuration) -> [String] {
    var options: [String] = []
    func compare<Option: Equatable>(_ name: String, _ option: KeyPath<Realm.Configuration, Option>) {
      let (opened, asked) = (configuration[keyPath: option], wanted[keyPath: option])
      if opened != asked { options.append("\(name) is \(opened), and \(asked) is asked for") }
    }
    if wanted.inMemoryIdentifier == nil, !wanted.readOnly {
      compare("durability", \.durability)
      compare("checkpoints", \.checkpoints)
    }
    compare("history", \.history)
    compare("maximumObserverLag", \.maximumObserverLag)
    compare("skipsEqualWrites", \.skipsEqualWrites)
    compare("invalidatedReads", \.invalidatedReads)
    return options
  }

  /// Throws when the store was opened with another answer to what happens when classes have changed. Tells the log of
  /// other options that the store does not take over.
  func checkJoining(_ wanted: Realm.Configuration) throws {
    try check(\.deleteRealmIfMigrationNeeded, "deleteRealmIfMigrationNeeded", is: "schema mode", wanted)
    let unused = unusedOptions(wanted)
    if unused.isEmpty { return }
    Log.detail(
      "The database \(configuration.name) is open already, with schema version \(configuration.schemaVersion). "
        + "It does not take over what the second configuration asks for: \(unused.joined(separator: ", ")).")
  }

  private func unusedOptions(_ wanted: Realm.Configuration) -> [String] {
    var unused: [String] = []
    if wanted.schemaVersion != configuration.schemaVersion { unused.append("schemaVersion \(wanted.schemaVersion)") }
    if !Self.areEqual(wanted.objectTypes, configuration.objectTypes) { unused.append("objectTypes") }
    if wanted.maximumNumberOfActiveVersions != configuration.maximumNumberOfActiveVersions {
      unused.append("maximumNumberOfActiveVersions")
    }
    return unused
  }

  /// Whether two lists name the same classes. Realms of tasks are opened often, so equal lists cost no set.
  private static func areEqual(_ left: [ObjectBase.Type]?, _ right: [ObjectBase.Type]?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.elementsEqual(right, by: ==)
      || Set(left.map(ObjectIdentifier.init)) == Set(right.map(ObjectIdentifier.init))
  }
}
