import Firn
import Foundation

/// A realm in files, open on the thread that made the fixture. Closes the database when it is let go.
final class FirnFileFixture {
  let folder: TemporaryFolder
  let configuration: Realm.Configuration
  let store: RealmStore
  let realm: Realm

  /// - Parameter folder: Holds a database already, or gets an empty one.
  init(
    in folder: TemporaryFolder, _ durability: Realm.Configuration.Durability,
    _ checkpoints: Realm.Configuration.Checkpoints = .init(), key: Data? = nil,
    history: Realm.Configuration.History = .init()
  ) throws {
    self.folder = folder
    var configuration = Self.configuration(in: folder, durability, checkpoints, key: key)
    configuration.history = history
    self.configuration = configuration
    store = try waitFor { [configuration] in try await RealmStore.open(configuration) }
    realm = try Realm(configuration: configuration)
  }

  /// A copy of what the stage has filled, at the checkpoint after it.
  convenience init(
    copying stage: Stage, _ durability: Realm.Configuration.Durability, history: Realm.Configuration.History = .init()
  ) throws {
    try self.init(in: stage.sharedFirnFolder().copy(), durability, history: history)
  }

  /// In a folder of its own, without a checkpoint.
  convenience init(filledWith dataset: Dataset) throws {
    try self.init(in: TemporaryFolder(), .onCheckpoint, .never)
    try realm.fill(with: dataset)
  }

  deinit {
    let store = store
    try? waitFor { try await store.close() }
  }

  static func configuration(
    in folder: TemporaryFolder, _ durability: Realm.Configuration.Durability,
    _ checkpoints: Realm.Configuration.Checkpoints = .init(), key: Data? = nil
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: folder.file("persons.firn"), encryptionKey: key)
    configuration.durability = durability
    configuration.checkpoints = checkpoints
    return configuration
  }

  func checkpoint() throws -> CheckpointReport {
    let store = store
    guard let report = try waitFor({ try await store.checkpoint() }) else { fatalError("the realm is in memory") }
    return report
  }

  var journalByteCount: Int { store.statistics.journalByteCount }
}

extension Realm.Configuration.Checkpoints {
  /// Only when asked for.
  static var never: Self { Self(journalByteCount: .max, interval: nil) }
}
