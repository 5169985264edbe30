package import FirnEngine

/// What has to be touched to concern a subscriber. Several places may stand for one.
package enum ViewPlace {
  /// A row that is written or deleted.
  case row(TableID, RowKey)
  /// What key paths of an object lead to, behind its first property.
  indirect case behind(TableID, RowKey, KeyPathFilter)
  /// A collection's objects. Nothing for a collection of values.
  indirect case elements(ListPlace, KeyPathFilter)
  /// The objects that link to one, and which of them do.
  indirect case backlinks(BacklinkPlace, KeyPathFilter)
  /// A query, which knows its subscribers.
  case query(Unowned<QueryView>, KeyPathFilter)

  package static func query(_ view: QueryView, _ filter: KeyPathFilter) -> ViewPlace {
    .query(Unowned(view), filter)
  }
}

/// Names something without keeping it.
package struct Unowned<Object: AnyObject> {
  package unowned let object: Object

  init(_ object: Object) { self.object = object }
}

/// What is found by what a step touched: a subscription, or a query on a collection.
package class RoutedEntry {
  private var noted = Noted.nothing
  /// The step that found it last.
  @exclusivity(unchecked) var step: UInt64 = 0

  /// Notes a place. The routes call it.
  final func note(_ place: ViewPlace) {
    switch noted {
    case .nothing: noted = .one(place)
    case .one(let first): noted = .several([first, place])
    case .several(var places):
      noted = .nothing
      places.append(place)
      noted = .several(places)
    }
  }

  /// The places where it is found.
  final var places: [ViewPlace] {
    switch noted {
    case .nothing: []
    case .one(let place): [place]
    case .several(let places): places
    }
  }

  /// Mostly it is one.
  private enum Noted {
    case nothing
    case one(ViewPlace)
    case several([ViewPlace])
  }
}

/// A subscriber that a stage knows. Does not keep it.
package final class Subscription: RoutedEntry {
  package private(set) weak var subscriber: AnyObject?

  package init(_ subscriber: AnyObject) { self.subscriber = subscriber }
}
