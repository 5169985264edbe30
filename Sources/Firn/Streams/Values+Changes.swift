internal import FirnEngine
internal import FirnReactive

extension RealmCollection where Element: ObjectBase {
  /// A value for each object and the exact changes of their positions, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// Only the properties of ``ValueProjection/keyPaths`` count as modifications. The content is the values of the whole
  /// collection; those that did not change are what they were. Traps inside a write transaction.
  ///
  /// - Complexity: A commit costs one `init(projecting:)` for each insertion and modification. The array that a subscriber
  ///   keeps is copied by the next change.
  public func changes<Row: ValueProjection>(
    as type: Row.Type, _ delivery: ChangeDelivery = .merged
  ) -> ChangeStream<[Row], CollectionDelta> where Row.Root == Element {
    let observed = _observed
    let name = "[\(Row.self)]"
    observed.instance.checkCanStream(name)
    let identity = StreamIdentity.of(self, nil)
    let source = StreamSource<[Row], CollectionDelta>(
      observed.instance.store, name, identity: { _ in identity },
      observe: { (realm, tell: @escaping (CollectionChange?, @escaping () -> [Row]?) -> Void) in
        let rows = ObservedValues<Row>()
        return observed.register(in: realm, Row.names) { (change: RealmCollectionChange<Self>) in
          let isGone: Bool
          switch change {
          case .initial(let objects), .update(let objects, _, _, _): isGone = objects.isInvalidated
          case .error: isGone = false
          }
          switch rows.take(change) {
          case .initial: tell(nil) { isGone ? nil : rows.rows }
          case .update(let values, let deletions, let insertions, let modifications):
            tell(CollectionChange(deletions, insertions, modifications, count: values.count)) {
              isGone ? nil : rows.rows
            }
          case .error: break
          }
        }
      }, delta: CollectionDelta.init)
    return ChangeStream(source: source, delivery: delivery)
  }
}
