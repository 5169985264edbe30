// Names of RealmSwift's sync, so that the compiler tells what to do instead.
public import Dispatch

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync. Open the realm with Realm.Configuration(fileURL:).")
public struct SyncConfiguration {}

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync. Remove what waits for it.")
public final class SyncSession {}

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync, and keeps all objects. Remove the subscriptions.")
public struct SyncSubscriptionSet {}

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync, for which such objects are. Derive the class from Object.")
open class AsymmetricObject {}

extension Realm {
  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync. Remove what waits for it.")
  public var syncSession: SyncSession? { fatalError("There is no sync.") }

  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync, and keeps all objects. Remove the subscriptions.")
  public var subscriptions: SyncSubscriptionSet { fatalError("There is no sync.") }
}

extension Realm.Configuration {
  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync. Open the realm with Realm.Configuration(fileURL:).")
  public var syncConfiguration: SyncConfiguration? {
    get { fatalError("There is no sync.") }
    set { fatalError("There is no sync.") }
  }
}

extension Realm.AsyncOpenTask {
  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync, and downloads nothing. Remove the call.")
  public func addProgressNotification<Progress>(
    queue: DispatchQueue = .main, block: @escaping (Progress) -> Void
  ) { fatalError("There is no sync.") }
}

extension Results {
  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync, and keeps all objects. Remove the call.")
  @discardableResult
  public func subscribe(name: String? = nil) async throws -> Results { fatalError("There is no sync.") }

  /// Needs sync.
  @available(*, unavailable, message: "Firn has no sync, and keeps all objects. Remove the call.")
  public func unsubscribe() { fatalError("There is no sync.") }
}
