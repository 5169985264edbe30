// Names of models that rely on Objective-C, so that the compiler tells what to write instead.

/// An optional property of older models.
@available(*, unavailable, message: "Declare the property as an optional: @Persisted var age: Int?")
public final class RealmOptional<Value> {}

/// An optional or mixed property of older models.
@available(*, unavailable, message: "Declare the property itself: @Persisted var value: AnyRealmValue")
public final class RealmProperty<Value> {}

/// What `RealmOptional` held.
@available(*, unavailable, message: "Declare the property as an optional with @Persisted; it needs no constraint.")
public protocol RealmOptionalType {}

/// What `RealmProperty` held.
@available(*, unavailable, message: "Declare the property itself with @Persisted; it needs no constraint.")
public protocol RealmPropertyType {}

/// An enumeration of older models.
@available(*, unavailable, renamed: "PersistableEnum")
public protocol RealmEnum {}
