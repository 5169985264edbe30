// Here and not in Firn: many a server has a module called App, which could not be named beside a type of that name, and
// types called User and Credentials.

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync. Open the realm with Realm.Configuration(fileURL:).")
public final class App {
  /// Needs sync.
  public init(id: String) { fatalError("There is no sync.") }
}

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync, and no users of it. Remove what logs in and out.")
public final class User {}

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync, and no users of it. Remove what logs in and out.")
public enum Credentials {}
