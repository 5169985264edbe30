/// A query on a collection, found by what happens in it.
final class CollectionEntry: RoutedEntry {
  unowned let view: QueryView
  /// What counts of the rows for some subscriber.
  var filters: Set<KeyPathFilter> = []

  init(_ view: QueryView) { self.view = view }
}
