internal import CFirn
internal import FirnEngine

/// What accessors need of the realm that they belong to: the version that it shows, and which threads may see what.
///
/// State           guarded by
/// context, owner  see `RealmContext`; `owner` changes only while nobody else refers to the realm
/// version         the confinement: only code that may write to the realm touches it
class RealmReader: @unchecked Sendable {
  final let graph: Graph
  final let isFrozen: Bool
  final let context: UnsafeMutableRawPointer
  /// The home thread: reads through the caches of accessors.
  @exclusivity(unchecked) final var owner: UnsafeMutableRawPointer?
  final let trace: PathTrace?
  /// Whether reading a deleted object traps.
  final let trapsInvalidatedReads: Bool
  /// The version that the realm shows; inside a transaction, the one it is based on.
  @exclusivity(unchecked) final var version: Version?

  init(
    _ graph: Graph, _ version: Version, owner: UnsafeMutableRawPointer?, isFrozen: Bool, trace: PathTrace?,
    trapsInvalidatedReads: Bool
  ) {
    self.graph = graph
    self.version = version
    self.owner = owner
    self.isFrozen = isFrozen
    self.trace = trace
    self.trapsInvalidatedReads = trapsInvalidatedReads
    context = RealmContext.make(owner: owner, root: version.root)
  }

  deinit { context.deallocate() }

  /// Whether the caller is known to be where the realm may be written.
  var isConfinedHere: Bool { false }

  /// Shows a version again after `invalidate()`, where the caller may make the realm move. Traps for a frozen realm.
  func openVersion() {}

  /// Whether nothing was read since `invalidate()`.
  final var isReleased: Bool { RealmContext.isReleased(context) }

  /// Whether the calling thread may use what the home thread caches.
  final var isHomeForReading: Bool {
    owner == firn_thread_pointer() || isWritingHere
  }

  /// Whether the calling thread runs the realm's write transaction.
  final var isWritingHere: Bool { RealmContext.isWritingHere(context) }

  /// The root that the calling thread, at home or in its transaction, or any thread of a frozen realm, reads.
  final var rootForReading: UnsafeRawPointer {
    context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
  }

  /// Calls `body` with the content that the calling thread may see; away from home that is the last committed version,
  /// held during the call.
  final func read<Result>(_ body: (GraphContents) throws -> Result) rethrows -> Result {
    if _slowPath(isReleased) { openVersion() }
    if isFrozen || isHomeForReading {
      return try body(GraphContents(root: rootForReading, layout: graph.layout))
    }
    return try heldVersion().withContents(body)
  }

  /// The same for what calls code of users, which may make the realm show another version.
  final func readHeld<Result>(_ body: (GraphContents) throws -> Result) rethrows -> Result {
    if isWritingHere { return try read(body) }
    return try heldVersion().withContents(body)
  }

  /// Calls `body` with the last committed version, which is kept only by announcing the thread as a reader.
  ///
  /// Cheaper than `read`, but the realm cannot advance meanwhile: `body` must be short, call no code of users and not
  /// read through this function or an accessor again. Not for frozen realms, nor at home.
  final func readBriefly<Result>(_ body: (GraphContents) throws -> Result) rethrows -> Result {
    let reader = firn_reader_get().unsafelyUnwrapped
    firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
    defer { firn_reader_end(reader) }
    return try body(GraphContents(root: RealmContext.awayRoot(context), layout: graph.layout))
  }

  /// The last committed version that this realm shows, held.
  final func heldVersion() -> Version {
    if _slowPath(isReleased) { openVersion() }
    if isFrozen || isHomeForReading || isConfinedHere { return version.unsafelyUnwrapped }
    // Away from home the field may change under our eyes: take the number from the context instead.
    let reader = firn_reader_get().unsafelyUnwrapped
    firn_reader_begin(reader, UInt64(UInt(bitPattern: context)))
    defer { firn_reader_end(reader) }
    return graph.hold(root: RealmContext.awayRoot(context))
  }
}
