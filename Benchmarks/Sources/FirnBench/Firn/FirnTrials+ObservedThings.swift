import Firn
import Foundation

extension FirnTrials {
  /// Folders and entries, of which the first are observed, each folder with an entry of the same number and the next one.
  /// Behind the last are strays that nothing leads to.
  static func observe(
    _ things: ObservedThings, isTouched: Bool, _ stage: Stage, _ withoutObservers: String
  ) throws -> Trial {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
    let count = max(stage.dataset.count, ObservedThings.count)
    try realm.write {
      for id in 0..<count + 1000 { realm.create(Entry.self, value: ["id": id, "size": id]) }
      let entries = Array(realm.objects(Entry.self))
      for id in 0..<count + 1000 {
        let folder = realm.create(Folder.self, value: ["id": id])
        if id >= count { continue }
        folder.favourite = entries[id]
        // Through a list the entry would belong to two folders.
        if id >= ObservedThings.count || things == .linkQueries { continue }
        folder.entries.append(objectsIn: [entries[id], entries[(id + 1) % ObservedThings.count]])
        folder.byName["own"] = entries[id]
      }
    }
    let range = isTouched ? 0..<ObservedThings.count : count..<count + 1000
    let folders = range.compactMap { realm.object(ofType: Folder.self, forPrimaryKey: $0) }
    let entries = range.compactMap { realm.object(ofType: Entry.self, forPrimaryKey: $0) }
    let writesFolders = things == .objects || things == .backlinks
    var random = SeededGenerator(seed: 7)
    let order = (0..<ObservedThings.commitCount).map { _ in Int.random(in: 0..<range.count, using: &random) }
    func commits() throws {
      for index in order {
        // The next entry's number, and back: another query's constant.
        try realm.write {
          if writesFolders { folders[index].note += 1 } else { entries[index].size ^= 1 }
        }
      }
      try realm.write {}
    }
    try commits()
    return {
      let without = try processorNanoseconds(per: order.count, commits)
      var callCount = 0
      let tokens = (0..<ObservedThings.count).map { id in
        observe(things, id, realm) { callCount += 1 }
      }
      try realm.write {}
      try realm.write {}
      let with = try processorNanoseconds(per: order.count, commits)
      for token in tokens { token.invalidate() }
      // The list before holds the entry, too.
      let perCommit = !isTouched ? 0 : things == .lists || things == .linkQueries || things == .backlinks ? 2 : 1
      try expect(callCount, perCommit * order.count, "calls of observers in Firn")
      return Sample(
        value: isTouched ? with - without : with,
        asides: [.init(label: withoutObservers, value: without, unit: .nanoseconds)])
    }
  }

  private static func observe(
    _ things: ObservedThings, _ id: Int, _ realm: Realm, _ tell: @escaping () -> Void
  ) -> NotificationToken {
    func folder() -> Folder { realm.object(ofType: Folder.self, forPrimaryKey: id)! }
    switch things {
    case .objects: return folder().observe { (_: ObjectChange<Folder>) in tell() }
    case .lists: return folder().entries.observe { if case .update = $0 { tell() } }
    case .maps: return folder().byName.observe { if case .update = $0 { tell() } }
    case .backlinks:
      let entry = realm.object(ofType: Entry.self, forPrimaryKey: id)!
      return entry.folders.observe { if case .update = $0 { tell() } }
    case .linkQueries:
      return realm.objects(Folder.self).where { $0.favourite.size == id }.observe { if case .update = $0 { tell() } }
    }
  }
}
