internal import DeparturePlan
internal import Firn

extension RealmCollectionChange where CollectionType: RandomAccessCollection, CollectionType.Index == Int {
  /// The elements that are new in the collection or changed in their place, at their present positions.
  var newAndModified: [CollectionType.Element] {
    switch self {
    case .initial(let collection):
      return Array(collection)
    case .update(let collection, let deletions, let insertions, let modifications):
      let modified = positionsAfterChange(modifications, deletions: deletions, insertions: insertions)
      return (insertions + modified).sorted().map { collection[$0] }
    case .error(let error):
      fatalError("an observer got an error: \(error)")
    }
  }
}
