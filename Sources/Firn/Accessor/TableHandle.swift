internal import CFirn
public import FirnEngine
internal import Foundation

/// What the accessors of one class in one realm have in common. Lives as long as its realm.
///
/// Immutable but for `accessors`, which has a lock of its own.
@usableFromInline
package final class TableHandle: @unchecked Sendable {
  @usableFromInline package let layout: TableLayout
  unowned(unsafe) let reader: RealmReader
  let context: UnsafeMutableRawPointer
  let model: ClassModel
  let accessors = LiveAccessors()
  let isFrozen: Bool
  /// Whether iterators and links may point an accessor at another row.
  let canReuse: Bool
  /// What new accessors are copied from; nil where the initialiser of the class makes them.
  private let template: AccessorTemplate?
  /// What the wrappers of an accessor hold that was made by an initialiser.
  private let slotWords: [SlotWord]
  /// What adding an object needs of each property. Plain data, so that walking it counts no references.
  let plans: UnsafeMutablePointer<PropertyPlan>
  let planCount: Int
  /// Whether any property is a link or a collection, or may hold one.
  let hasReferences: Bool
  /// Where accessors keep the targets of links that they handed out last.
  let cachedLinks: HeldReferences
  /// Where the links of each `LinkingObjects` property come from.
  private let origins: [Origin]

  struct Origin {
    let table: TableID
    let column: ColumnID
    let name: String
  }

  /// Whether its accessors know their class by name only.
  let isDynamic: Bool
  private let accessorType: ObjectBase.Type
  /// Which handle of the realm it is: the table of it, or the table and that many again as there are tables.
  let number: Int

  var table: TableID { TableID(layout.index) }

  /// - Parameters:
  ///   - dynamicType: The class of the accessors, if they know the class of their rows by name only.
  ///   - origins: Where the links of each `LinkingObjects` property come from.
  init(
    reader: RealmReader, layout: TableLayout, model: ClassModel, number: Int, dynamicType: ObjectBase.Type?,
    origins: [Origin]
  ) {
    self.reader = reader
    self.layout = layout
    self.model = model
    context = reader.context
    isFrozen = reader.isFrozen
    self.number = number
    isDynamic = dynamicType != nil
    accessorType = dynamicType ?? model.type
    canReuse = !isDynamic && model.reusesAccessors
    var words: [SlotWord] = []
    for (column, property) in model.properties.enumerated() where !isDynamic {
      if property.shape.isCollection || (property.shape.type == .object && property.shape.custom == nil) {
        // No cached target or collection. The empty optional of an optional is not all zero, a present nil is.
        words.append(SlotWord(offset: property.offset, word: 0))
      }
      words.append(
        SlotWord(
          offset: property.offset + property.wrapper.slotOffset,
          word: Self.slot(column, property, layout, isFrozen: isFrozen)))
    }
    for (index, linking) in model.linkingProperties.enumerated() where !isDynamic {
      words.append(SlotWord(offset: linking.offset, word: 0))
      words.append(
        SlotWord(
          offset: linking.offset + linking.wrapper.slotOffset,
          word: Self.linkingSlot(index, model, isFrozen: isFrozen)))
    }
    self.origins = origins
    slotWords = words
    template = isDynamic ? nil : model.image.map { AccessorTemplate($0, words) }
    planCount = model.properties.count
    hasReferences = model.properties.contains {
      $0.shape.type == .object || $0.shape.type == .any || $0.shape.isCollection
    }
    cachedLinks = HeldReferences(
      words: isDynamic || isFrozen
        ? [] : model.properties.filter { PropertyPlan.Kind($0) == .link }.map(\.offset))
    plans = .allocate(capacity: max(1, model.properties.count))
    for (column, property) in model.properties.enumerated() {
      (plans + column).initialize(
        to: PropertyPlan(
          offset: property.offset, slot: Self.slot(column, property, layout, isFrozen: isFrozen),
          value: property.value, kind: PropertyPlan.Kind(property)))
    }
  }

  deinit {
    template?.deallocate()
    plans.deallocate()
  }

  func slot(_ column: Int) -> UInt64 { plans[column].slot }

  /// The number of the handle for what links of a column lead to.
  func targetNumber(of column: Int) -> Int { Int(layout.columns[column].target) + number - layout.index }

  private static func slot(
    _ column: Int, _ property: ClassModel.Property, _ layout: TableLayout, isFrozen: Bool
  ) -> UInt64 {
    let description = layout.columns[column]
    let isReference = description.storage == .link || description.storage.isCollection
    return PropertySlot.make(
      leafOffset: Int(description.offset), second: isReference ? property.offset : Int(description.nullOffset),
      column: column, isInterned: description.storage == .interned,
      needsWriter: isReference || description.isIndexed || description.isOrdered || description.isPrimaryKey,
      isFrozen: isFrozen)
  }

  /// Their columns, which no row has, come after the others.
  private static func linkingSlot(_ index: Int, _ model: ClassModel, isFrozen: Bool) -> UInt64 {
    PropertySlot.make(
      leafOffset: 0, second: 0, column: model.properties.count + index, isInterned: false, needsWriter: true,
      isFrozen: isFrozen)
  }

  /// The slot word of one of the `LinkingObjects` properties.
  func linkingSlot(_ index: Int) -> UInt64 { Self.linkingSlot(index, model, isFrozen: isFrozen) }

  /// Where the links of a `LinkingObjects` property come from, by the column in its slot word.
  func origin(_ column: Int) -> Origin { origins[column - planCount] }

  /// Makes the `LinkingObjects` properties of an object managed that was not.
  func promoteLinking(_ address: UnsafeMutableRawPointer) {
    if origins.isEmpty { return }
    for (index, linking) in model.linkingProperties.enumerated() {
      _ = linking.wrapper.promote(
        at: address + linking.offset, slot: Self.linkingSlot(index, model, isFrozen: isFrozen))
    }
  }

  // MARK: Making accessors

  enum Listing {
    case keyed
    /// For an iterator, which will point the accessor at other rows.
    case moving
    /// For a link, which may do so.
    case linked
  }

  /// A new accessor of a row that exists. At home, or frozen, its cache is filled.
  func make(_ key: RowKey, at location: RowLocation?, _ listing: Listing) -> ObjectBase {
    let object = makeUnbound()
    bind(object, key, at: location, listing)
    return object
  }

  /// An accessor whose wrappers are managed, and which has to be tied to a row.
  @inline(__always)
  private func makeUnbound() -> ObjectBase { template?.make() ?? initializeUnbound() }

  @inline(never)
  private func initializeUnbound() -> ObjectBase {
    let object = accessorType.init()
    if isDynamic { return object }
    // Gives up the initial values.
    clear(object)
    let address = Unmanaged.passUnretained(object).toOpaque()
    for word in slotWords { word.store(in: address) }
    return object
  }

  /// Makes the wrappers unmanaged and empty.
  private func clear(_ object: ObjectBase) {
    if isDynamic { return }
    let address = Unmanaged.passUnretained(object).toOpaque()
    for property in model.properties { property.wrapper.clear(at: address + property.offset) }
    for linking in model.linkingProperties { linking.wrapper.clear(at: address + linking.offset) }
  }

  /// Ties an object, whose wrappers are managed already, to a row.
  func bind(_ object: ObjectBase, _ key: RowKey, at location: RowLocation?, _ listing: Listing) {
    object._context = UnsafeRawPointer(context)
    object._key = key.rawValue
    object._tableIndex = UInt32(truncatingIfNeeded: layout.index)
    object._table = self
    object._reader = reader
    if listing == .linked { object._isLinked = true }
    if let location {
      object._cluster = location.cluster
      object._slot = UInt32(truncatingIfNeeded: location.slot)
      object._epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
    }
    if isFrozen { return }
    switch listing {
    case .keyed: accessors.insert(object)
    case .moving, .linked: accessors.insertMoving(object)
    }
    // After it is listed: a note taken in between would be of no use.
    if location == nil { accessors.noteMadeAway() }
  }

  /// An accessor for any thread, found in the version that the thread may see.
  func accessor(_ key: RowKey) -> ObjectBase {
    if isFrozen || reader.isHomeForReading {
      let root = reader.rootForReading
      return make(key, at: Directory.locate(VersionRoot.table(root, layout.index), key.rawValue), .keyed)
    }
    return makeAway(key, in: reader.heldVersion())
  }

  /// An accessor of a row of a held version, for a thread that is not at home.
  ///
  /// The realm may have moved on since the version was looked at. It then gave last values to the accessors listed at
  /// the time, which this one was not.
  func makeAway(_ key: RowKey, in version: Version) -> ObjectBase {
    let object = make(key, at: nil, .keyed)
    withExtendedLifetime(version) {
      if isInAwayRoot(key) { return }
      if !giveLastValues(key, from: version) {
        // The caller found it in an older version, which it then holds.
        for held in reader.graph.heldVersions.reversed() where held.number < version.number {
          if let older = reader.graph.hold(held.number), giveLastValues(key, from: older) { break }
        }
      }
    }
    return object
  }

  private func giveLastValues(_ key: RowKey, from version: Version) -> Bool {
    version.withContents { contents in
      guard let location = contents.locate(key, in: table) else { return false }
      accessors.setLastValues(of: key.rawValue) { RowCopy.make(location, in: contents, table: table) }
      return true
    }
  }

  /// An accessor for any thread of the row that `find` finds; nil when it finds none.
  ///
  /// Away from home `find` is asked again when the row is gone before the accessor is listed.
  func accessor(_ find: () -> RowKey?) -> ObjectBase? {
    while let key = find() {
      if isFrozen || reader.isHomeForReading { return accessor(key) }
      if let object = accessorAway({ $0.contains(key, in: table) ? key : nil }) { return object }
    }
    return nil
  }

  private func isInAwayRoot(_ key: RowKey) -> Bool { reader.readBriefly { $0.contains(key, in: table) } }

  /// The accessor of the row that `find` finds in the last committed version, for a thread that is not at home.
  ///
  /// It is found and listed in one brief read, so that the realm cannot pass over it in between.
  func accessorAway(_ find: (GraphContents) -> RowKey?) -> ObjectBase? {
    // Making it may run code of a model class, so that comes first.
    let object = makeUnbound()
    let isThere = reader.readBriefly { current in
      guard let key = find(current) else { return false }
      bind(object, key, at: nil, .keyed)
      return true
    }
    if isThere { return object }
    // A `deinit` that reads properties finds an unmanaged object.
    clear(object)
    return nil
  }

  // MARK: Rows that are gone

  /// The last values of an accessor whose row is not in the realm's version. Traps when there never was one.
  func lastValues(of object: ObjectBase) -> UnsafeMutableRawPointer {
    guard let values = accessors.lastValues(of: object) else {
      fatalError(
        "An object of class '\(model.name)' was read on a thread that does not see it yet: it was added in a write "
          + "transaction that has not been committed.")
    }
    checkInvalidatedRead()
    return values
  }

  /// Called when the last values of a deleted object are about to be read.
  func checkInvalidatedRead() {
    if reader.trapsInvalidatedReads {
      fatalError(
        "Object has been deleted or invalidated. (class '\(model.name)' was read; Configuration.invalidatedReads is "
          + ".trap)")
    }
  }
}
