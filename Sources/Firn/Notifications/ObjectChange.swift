public import Foundation

/// A property that changed, with what it was and is.
@frozen public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before. Links are objects with their present content, enumerations their raw value, custom types what is stored; nil for lists.
  public let oldValue: Any?
  /// The value now; nil for lists.
  public let newValue: Any?
}

/// What the observer of an object is told.
@frozen public enum ObjectChange<T> {
  /// Never delivered; there for source compatibility.
  case error(NSError)
  /// Properties were written, in the order of the schema. Writing an equal value counts.
  case change(T, [PropertyChange])
  /// The object was deleted. Nothing follows.
  case deleted
}
