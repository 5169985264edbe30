// Must compile: Scripts/check-imports. A file for RealmSwift, Foundation and Combine, with the flag that the guide has.
// Flags: -module-alias Combine=FirnCombine
import Combine
import Foundation
import RealmSwift

import struct RealmSwift.SortDescriptor

final class Model: Combine.ObservableObject {
  @Published var texts: [String] = []
  private var watching: Set<AnyCancellable> = []
  private let order: SortDescriptor = "moment"

  func watch(_ realm: Realm) {
    realm.objects(Event.self).sorted(by: [order]).collectionPublisher
      .map { events in events.flatMap { Array($0.notes) } }
      .receive(on: RunLoop.main)
      .replaceError(with: [])
      .sink { [weak self] texts in self?.texts = texts }
      .store(in: &watching)
  }
}

func decoded(_ bytes: Just<Data>) -> some Publisher<[Int], any Error> {
  bytes.decode(type: [Int].self, decoder: JSONDecoder())
}
