internal import FirnEngine

/// What observers learn of who wrote.
extension RealmObservers {
  /// Takes the causes of what the realm shows since the last time to its observers. The next call of each tells them.
  func addCauses(skipping tokens: [NotificationToken], after before: Version?) {
    guard let noteFollower, let number = instance.version?.number, number > toldNumber else { return }
    let noted = noteFollower.takeNotes(after: toldNumber, through: number)
    toldNumber = number
    if noted.isEmpty { return }
    let causes = noted.map { Realm.Cause($0) }
    for observer in realmObservers.lazy.compactMap(\.observer) {
      let skips = tokens.contains { $0.active?.observer === observer }
      observer.addCauses(skips ? causes.filter { $0.version <= before?.number ?? 0 } : causes)
    }
  }

  func call(_ observer: RealmObserver, _ notification: Realm.Notification, _ realm: Realm) {
    withCauses(notification == .didChange ? observer.takeCauses() : []) { observer.body(notification, realm) }
  }

  /// Runs a callback that is told of commits with such causes. Those of a callback around it are back afterwards.
  func withCauses(_ new: [Realm.Cause], _ callback: () -> Void) {
    let outer = causes
    causes = new
    callback()
    causes = outer
  }
}
