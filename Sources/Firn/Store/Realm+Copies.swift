internal import FirnDurability
internal import FirnEngine
public import Foundation

extension Realm {
  /// Writes the version that the realm shows as a database of its own: one file, complete, and on disk when this returns.
  ///
  /// Writers go on meanwhile. Works for realms in memory, frozen, and opened for reading only. The copy is a database with
  /// a life of its own: neither knows of the other's later commits. It can be opened in its place or moved anywhere; see
  /// <doc:BackingUp>.
  ///
  /// Blocks the thread; ``FrozenRealm/writeCopy(to:encryptionKey:)`` and ``RealmStore/writeCopy(to:encryptionKey:)`` do not.
  ///
  /// - Parameters:
  ///   - fileURL: Where no file is.
  ///   - encryptionKey: 64 bytes to encrypt the copy with, whatever the realm has; nil for a copy that is not encrypted.
  /// - Throws: ``Realm/Error``: `.fileExists` when there is a file, be it the realm's own, or a journal that a file of this
  ///   name left; `.fileNotFound` when the folder is missing; `.fail` inside a write transaction of this realm;
  ///   `.alreadyOpen` and `.ownedByOtherProcess` while somebody opens a database of that name; `.outOfDiskSpace` and the like.
  ///   No file is left then.
  /// - Complexity: O(everything that the version holds).
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(configuration: Configuration(fileURL: fileURL, encryptionKey: encryptionKey))
  }

  /// Writes a copy like ``writeCopy(toFile:encryptionKey:)``, to the file of a configuration and with its key. Nothing else
  /// of the configuration is looked at.
  public func writeCopy(configuration: Configuration) throws {
    guard case .file(let file) = try configuration.checkedPlace() else {
      throw Error(.fail, "A copy is written to a file, but \(configuration.name) is in memory. Set fileURL.")
    }
    if instance.isWritingHere {
      throw Error(
        .fail,
        "The realm \(instance.store.configuration.name) is in a write transaction. Commit it before writing a copy.")
    }
    try instance.store.writeCopy(of: instance.heldVersion(), to: file, configuration.storeKey)
  }
}

extension FrozenRealm {
  /// Writes the version as a database of its own, without blocking the caller's thread; see
  /// ``Realm/writeCopy(toFile:encryptionKey:)``.
  ///
  /// - Complexity: O(everything that the version holds), on threads in the background.
  public func writeCopy(to fileURL: URL, encryptionKey: Data? = nil) async throws {
    let realm = self
    do {
      try await WorkThreads.files.run { try realm.realm.writeCopy(toFile: fileURL, encryptionKey: encryptionKey) }
    } catch {
      throw Realm.Error.wrapping(error)
    }
  }
}

extension RealmStore {
  /// Writes the newest version as a database of its own, without blocking the caller's thread; see
  /// ``Realm/writeCopy(toFile:encryptionKey:)``. For backups: reading and writing go on.
  ///
  /// To know which version it is, copy a frozen one: `let frozen = store.freeze()`, then ``FrozenRealm/writeCopy(to:encryptionKey:)`` and
  /// ``FrozenRealm/version``.
  ///
  /// Throws `.storeClosed` after ``close()``.
  ///
  /// - Complexity: O(everything), on threads in the background. Keeps the version's memory meanwhile.
  public func writeCopy(to fileURL: URL, encryptionKey: Data? = nil) async throws {
    try store.checkIsOpen()
    try await freeze().writeCopy(to: fileURL, encryptionKey: encryptionKey)
  }
}

extension Store {
  fileprivate func writeCopy(of version: Version, to file: FilePlace, _ key: StoreKey?) throws {
    let (path, disk) = (file.path, configuration.fileSystem)
    do {
      let copy =
        try durable.map { StoreCopy(version, of: $0) }
        ?? StoreCopy(version, schemaVersion: configuration.schemaVersion)
      // A file that is there says so, whether it is open or not.
      if DurableStore.exists(path, disk) { return try copy.write(to: path, key: key, in: disk) }
      try OpenStores.shared.withClosed(.file(file), to: "write a copy in place") {
        try copy.write(to: path, key: key, in: disk)
      }
    } catch {
      throw Realm.Error.wrapping(error)
    }
  }
}
