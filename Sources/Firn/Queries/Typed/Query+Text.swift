extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Whether the text contains another. Nothing contains an empty one.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.contains, value, options) }

  /// Whether the text contains that of another property. Nothing contains an empty one.
  public func contains<U: _Persistable>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary { compare(.contains, column, options) }

  /// Whether the text begins with another. Nothing begins with an empty one.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.beginsWith, value, options) }

  /// Whether the text begins with that of another property. Nothing begins with an empty one.
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compare(.beginsWith, column, options)
  }

  /// Whether the text ends with another. Nothing ends with an empty one.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.endsWith, value, options) }

  /// Whether the text ends with that of another property. Nothing ends with an empty one.
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compare(.endsWith, column, options)
  }

  /// Whether the text equals another, with options.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.equal, value, options) }

  /// Whether the text equals that of another property, with options.
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compare(.equal, column, options)
  }

  /// Whether the text differs from another, with options.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.notEqual, value, options) }

  /// Whether the text differs from that of another property, with options.
  public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compare(.notEqual, column, options)
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Whether the whole text matches a pattern, in which `?` stands for one character and `*` for any number.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.like, value, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the whole text matches the pattern in another property.
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.like, column, caseInsensitive ? .caseInsensitive : [])
  }
}
