import Combine
import Model
import RealmSwift

/// The flights that are late, for a screen.
public final class Board: ObservableObject {
  @Published public private(set) var late: [String] = []
  private var watching: Set<AnyCancellable> = []

  public init(_ realm: RealmSwift.Realm) {
    realm.objects(Flight.self).where { $0.delay > 30 }.collectionPublisher
      .map { flights in flights.map(\.id) }
      .replaceError(with: [])
      .sink { [weak self] ids in self?.late = ids }
      .store(in: &watching)
  }
}
