// What is stored for enumerations and custom types, by itself and in collections.

extension Query where T: PersistableEnum {
  /// The stored value.
  public var rawValue: Query<T.RawValue> { _retyped() }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The stored value.
  public var rawValue: Query<T.Wrapped.RawValue?> { _retyped() }
}

extension Query where T: PersistableRawRepresentable {
  /// The stored value.
  public var rawValue: Query<T.RawValue> { _retyped() }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableRawRepresentable {
  /// The stored value.
  public var rawValue: Query<T.Wrapped.RawValue?> { _retyped() }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum {
  /// The stored values.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> { _retyped() }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum {
  /// The stored values.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> { _retyped() }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum {
  /// The stored values, by key.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { _retyped() }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum {
  /// The stored values, by key.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> { _retyped() }
}

extension Query where T: _HasPersistedType {
  /// The stored value: the raw value of an enumeration, what a custom type is stored as, else the property itself.
  @_disfavoredOverload
  public var persistableValue: Query<T.PersistedType> { _retyped() }
}

extension Query where T: RealmCollection, T.Element.PersistedType: RealmCollectionValue {
  /// The stored values: raw values of enumerations, what custom types are stored as, else the elements themselves.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> { _retyped() }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: RealmCollectionValue {
  /// The stored values by key: raw values of enumerations, what custom types are stored as, else the values themselves.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> { _retyped() }
}
