/// A part of a commit. It does nothing where the objects that it speaks of are not there.
enum Change: Sendable {
  /// Everything but parent and children, which stay.
  case put(slot: Int, PlainItem)
  case edit(slot: Int, Edit)
  case deleteItem(slot: Int)
  case link(slot: Int, parent: Int?)
  case insertChild(slot: Int, child: Int, place: Int)
  case removeChild(slot: Int, place: Int)
  case putRows(ids: Range<Int>, seed: UInt64)
  case deleteRows(ids: Range<Int>)
  case putRemark(id: Int, score: Int, label: String)
  case deleteRemark(id: Int)
}

/// A change of a property of an item.
enum Edit: Sendable {
  case name(String)
  case addToOptional(Int)
  case data(PlainData)
  case appendNumber(Int)
  case removeNumber(place: Int)
  case insertText(String)
  case changeTags(added: String, removed: String)
  case changeCounts(key: String, value: Int, removed: String)
  case appendSpot(PlainSpot)
  /// Moves the spot that is there, or sets the one given.
  case moveSpot(PlainSpot)
  case removeSpot

  // Collections stay this short.
  static let numberCountMax = 20
  static let textCountMax = 8
  static let spotCountMax = 4
}
