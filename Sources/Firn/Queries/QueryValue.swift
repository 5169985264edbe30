internal import FirnEngine
public import Foundation

/// A value that conditions compare with.
public protocol _QueryOperand {
  var _constant: _Constant { get }
}

/// Values that have an order in conditions.
public protocol _QueryOrdered: _QueryOperand {}

/// Numbers and points in time.
public protocol _QueryNumeric: _QueryOrdered, _RealmSchemaDiscoverable {}

/// Texts and bytes.
public protocol _QueryBinary: _QueryOrdered {}

/// Texts.
public protocol _QueryString: _QueryBinary {}

/// A value as the engine has it.
public struct _Constant {
  private let storage: Storage

  private enum Storage {
    case value(Value)
    /// Not copied until the bytes are asked for.
    case string(String)
    /// A list or dictionary that mixed values are compared with.
    case collection(NestedConstant)
    /// An embedded object, which stands for its row, or for the values of its members.
    case embedded(EmbeddedObject)
  }

  init(_ value: Value) { storage = .value(value) }

  init(_ string: String) { storage = .string(string) }

  init(_ collection: NestedConstant) { storage = .collection(collection) }

  init(_ embedded: EmbeddedObject) { storage = .embedded(embedded) }

  var value: Value {
    switch storage {
    case .value(let value): value
    case .string(let string): Value(string)
    case .collection: .neverStored
    case .embedded(let object): object._rowConstant
    }
  }

  /// The value, if it is neither a string nor anything with parts.
  var scalar: Value? {
    if case .value(let value) = storage { return value }
    return nil
  }

  /// The embedded object, if it was one.
  var embedded: EmbeddedObject? {
    if case .embedded(let object) = storage { return object }
    return nil
  }

  /// The collection, if it was one.
  var collection: NestedConstant? {
    if case .collection(let collection) = storage { return collection }
    return nil
  }

  /// The value as Swift has it; nil for null. Not for links.
  var given: Any? {
    switch storage {
    case .value(let value): AnyRealmValue(scalar: value).payload
    case .string(let string): string
    case .collection: nil
    case .embedded(let object): object
    }
  }

  /// The string, if it was one.
  var string: String? {
    if case .string(let string) = storage { return string }
    return nil
  }
}

extension _PersistableInteger {
  public var _constant: _Constant { _Constant(.int(Int64(self))) }
}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}

extension Bool: _QueryOperand {
  public var _constant: _Constant { _Constant(.bool(self)) }
}

extension Float: _QueryNumeric {
  public var _constant: _Constant { _Constant(.float(self)) }
}

extension Double: _QueryNumeric {
  public var _constant: _Constant { _Constant(.double(self)) }
}

extension Date: _QueryNumeric {
  public var _constant: _Constant { _Constant(.date(timeIntervalSinceReferenceDate)) }
}

extension UUID: _QueryOperand {
  public var _constant: _Constant { _Constant(.uuid(bytes16)) }
}

extension String: _QueryString {
  public var _constant: _Constant { _Constant(self) }
}

extension Data: _QueryBinary {
  public var _constant: _Constant { _Constant(.data(Array(self))) }
}

extension Optional: _QueryOperand where Wrapped: _QueryOperand {
  public var _constant: _Constant { self?._constant ?? _Constant(.null) }
}

extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}

extension PersistableEnum {
  public var _constant: _Constant { rawValue._constant }
}

extension Object: _QueryOperand {
  /// The object's row. An object that is not managed, or was deleted, equals nothing.
  public var _constant: _Constant { _Constant(_rowConstant) }
}

extension EmbeddedObject: _QueryOperand {
  /// The object's row. Where a property is declared with a custom type, the values of the object's members.
  public var _constant: _Constant { _Constant(self) }
}

extension ObjectBase {
  fileprivate final var _rowConstant: Value {
    .link(_instance == nil || _isGone ? RowKey(.max >> 2) : RowKey(_key))
  }
}

/// What collections have in common as operands: they are none.
enum CollectionComparison {
  static func trap() -> Never {
    fatalError(
      "Comparing two collection columns is not permitted, and neither is a collection with another: compare elements, or use "
        + "contains(_:).")
  }
}
