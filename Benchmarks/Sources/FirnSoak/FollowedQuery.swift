import Dispatch
import Firn
import Foundation

/// A query whose rows are kept up by the changes that an observer is told of.
///
/// State    guarded by
/// state    queue
final class FollowedQuery: @unchecked Sendable {
  private struct State {
    var ids: [Int] = []
    var failure: SoakFailure?
    var token: NotificationToken?
  }

  private let queue = DispatchQueue(label: "firn.soak.observer")
  private var state = State()

  func start(_ store: RealmStore, writer: Int) throws {
    let realm: Realm
    do {
      realm = try store.realm()
    } catch Realm.Error.storeClosed {
      // An observer that comes while the store closes has nothing to follow.
      return
    }
    let items = realm.objects(SoakItem.self).where { $0.writer == writer && $0.number > 500_000 }
    let token = items.observe(on: queue) { [weak self] change in self?.follow(change) }
    queue.sync { state.token = token }
  }

  private func follow(_ change: RealmCollectionChange<Results<SoakItem>>) {
    switch change {
    case .initial(let items): state.ids = items.map(\.id)
    case .update(let items, let deletions, let insertions, _):
      for place in deletions.reversed() { state.ids.remove(at: place) }
      for place in insertions { state.ids.insert(items[place].id, at: place) }
      if state.ids != items.map(\.id) {
        state.failure = SoakFailure("The changes that an observer was told of do not lead to the rows of its query.")
      }
    case .error(let error): state.failure = SoakFailure("An observer was told of an error: \(error)")
    }
  }

  func stop() throws {
    let failure = queue.sync {
      state.token?.invalidate()
      state.token = nil
      return state.failure
    }
    if let failure { throw failure }
  }
}
