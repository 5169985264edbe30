// What is inside of a mixed value. A step that leads nowhere leads to nil: it equals `.none`, and is unequal to all else.
extension Query where T == AnyRealmValue {
  /// An element of a list in the value.
  public subscript(position: Int) -> Query<AnyRealmValue> { Query(node.appending(.index(position))) }

  /// A value of a dictionary in the value.
  public subscript(key: String) -> Query<AnyRealmValue> { Query(node.appending(.key(key))) }

  /// Any element of a list in the value, or any value of a dictionary in it: a condition holds if it does for one of them.
  public var any: Query<AnyRealmValue> { Query(node.appending(.anyElement)) }
}
