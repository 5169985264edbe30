import Firn
import Foundation
import Testing

func relationsConfiguration(_ types: [ObjectBase.Type]) -> Realm.Configuration {
  Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
}

/// Whether opening a realm fails with a sentence that has all of these parts.
func openingFails(_ types: [ObjectBase.Type], naming parts: [String]) -> Bool {
  do {
    _ = try Realm(configuration: relationsConfiguration(types))
    return false
  } catch {
    return parts.allSatisfy { error.localizedDescription.contains($0) }
  }
}

/// Follows a collection by the changes that its observer gets.
final class RelationsFollower<C: RealmCollection> where C.Element: Object {
  private(set) var rows: [C.Element] = []
  private(set) var calls: [Call] = []
  private(set) var initialCount = 0

  struct Call: Equatable {
    var deletions: [Int]
    var insertions: [Int]
    var modifications: [Int]

    init(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
      self.deletions = deletions
      self.insertions = insertions
      self.modifications = modifications
    }
  }

  func take(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection):
      initialCount += 1
      rows = Array(collection)
    case .update(let collection, let deletions, let insertions, let modifications):
      calls.append(Call(deletions, insertions, modifications))
      for position in deletions.reversed() { rows.remove(at: position) }
      for position in insertions { rows.insert(collection[position], at: position) }
    case .error: break
    }
  }

  func agrees(with collection: C) -> Bool {
    rows.count == collection.count && zip(rows, collection).allSatisfy { $0.isSameObject(as: $1) }
  }
}
