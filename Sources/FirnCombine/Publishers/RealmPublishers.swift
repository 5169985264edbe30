#if Publishers
internal import Firn

/// The publishers of realms and of what they manage.
///
/// They are made with `collectionPublisher`, `changesetPublisher`, `objectWillChange` and the functions of these names.
public enum RealmPublishers {}

/// Traps for what no realm manages.
func checkIsManaged<Confined: ThreadConfined>(_ confined: Confined, _ kind: String = "objects") {
  if confined.realm == nil {
    fatalError(
      "Only managed \(kind) can be published, and this '\(Confined.self)' belongs to no realm: add it before, and do not "
        + "publish what was deleted.")
  }
}

#endif
