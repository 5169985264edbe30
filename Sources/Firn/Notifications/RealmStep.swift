internal import FirnEngine
internal import FirnReactive

/// A step of the versions that a realm shows. Lent to those who are told of it, for the call.
struct RealmStep: ~Copyable {
  let step: Step
  let instance: RealmInstance
  private let oldVersion: Version
  private let newVersion: Version

  /// The causes of the commits in between that name one, ascending; see ``Realm/causes``.
  let causes: [Realm.Cause]

  /// - Parameter step: Leads from `old` to `new`.
  init(_ instance: RealmInstance, _ step: Step, _ noted: [NotedCommit], from old: Version, to new: Version) {
    self.instance = instance
    causes = noted.isEmpty ? [] : noted.map { Realm.Cause($0) }
    oldVersion = old
    newVersion = new
    self.step = step
  }

  /// A frozen realm of the version before.
  private(set) lazy var before = RealmInstance(store: instance.store, confinement: .frozen, version: oldVersion)

  /// A frozen realm of the version after.
  private(set) lazy var after = RealmInstance(store: instance.store, confinement: .frozen, version: newVersion)
}
