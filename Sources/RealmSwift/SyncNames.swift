// Here and not in Firn: many a server's own module is called App, and could not be named beside a type of that name.

/// Needs sync.
@available(*, unavailable, message: "Firn has no sync. Open the realm with Realm.Configuration(fileURL:).")
public final class App {
  /// Needs sync.
  public init(id: String) { fatalError("There is no sync.") }
}
