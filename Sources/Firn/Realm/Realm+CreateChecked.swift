internal import FirnEngine
public import Foundation

extension Realm {
  /// Creates an object from JSON text that came from outside, or updates the one that has the same primary key.
  ///
  ///     let flight = try realm.create(Flight.self, json: body, update: .modified)
  ///
  /// The forms are those of ``create(_:value:update:)``: an object by property name, or an array by position if the
  /// limits allow that; within them links and collections alike. Dates are strings in ISO 8601, data strings in Base64,
  /// UUIDs and object ids strings, decimals numbers or strings, of which no digit is lost. A number with a point or an
  /// exponent is no integer, an integer no Boolean. A key may be given once; keys are told apart by their bytes. Raw
  /// values that no case has are refused, and so are changes of objects that exist and stand within others: `limits`
  /// says what is allowed beyond that, and what is refused besides.
  ///
  /// Everything is read and checked before anything is written: when this throws, the realm and its transaction are as
  /// they were. Traps outside of a write transaction, as ``create(_:value:update:)`` does.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - json: The text.
  ///   - update: What happens to an object that has the same primary key. With `.error` this throws
  ///     ``Realm/Error/Code/duplicatePrimaryKey``.
  ///   - limits: How much is taken, and what is refused.
  /// - Throws: ``Realm/Error`` with ``Realm/Error/Code/invalidInput``; `Realm.Error.invalidInput` tells path, expectation
  ///   and finding of the first thing that is wrong.
  /// - Complexity: O(bytes), and O(1) amortised for each object and element.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, json: String, update: UpdatePolicy = .error, limits: CreationLimits = CreationLimits()
  ) throws -> T {
    var json = json
    return try json.withUTF8 { try create(type, bytes: $0, update, limits) }
  }

  /// Creates an object from JSON text in UTF-8; see ``create(_:json:update:limits:)-(_,String,_,_)``.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, json: Data, update: UpdatePolicy = .error, limits: CreationLimits = CreationLimits()
  ) throws -> T {
    try json.withUnsafeBytes { try create(type, bytes: $0.bindMemory(to: UInt8.self), update, limits) }
  }

  /// Creates an object from a value that came from outside: ``create(_:value:update:)``, which throws instead of trapping
  /// for everything that is wrong with the value, and for what `limits` does not allow.
  ///
  /// Everything is read and checked before anything is written: when this throws, the realm and its transaction are as
  /// they were. Traps outside of a write transaction.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - value: A dictionary, an array or an object.
  ///   - update: What happens to an object that has the same primary key. With `.error` this throws
  ///     ``Realm/Error/Code/duplicatePrimaryKey``.
  ///   - limits: How much is taken, and what is refused.
  /// - Throws: ``Realm/Error`` with ``Realm/Error/Code/invalidInput``; `Realm.Error.invalidInput` tells path, expectation
  ///   and finding of the first thing that is wrong.
  /// - Complexity: O(1) amortised for each object and element.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, checking value: Any, update: UpdatePolicy = .error, limits: CreationLimits = CreationLimits()
  ) throws -> T {
    try create(type, value, update, limits, .values)
  }

  /// Creates an object from an `Encodable` value with properties of the same names, or updates the one that has the same
  /// primary key.
  ///
  ///     struct FlightNews: Codable {
  ///         var id: String
  ///         var delay: Int?
  ///     }
  ///
  /// Such a value may be given where its fields are properties of the class:
  ///
  ///     try realm.create(Flight.self, from: news, update: .modified)
  ///
  /// What the value encodes is read as by ``create(_:checking:update:limits:)``: keyed containers as dictionaries, unkeyed
  /// ones as arrays, dates, data, decimals, UUIDs and object ids as such, URLs as strings; object ids may be strings. What it does not encode, as synthesised conformances do with nil, counts
  /// as missing: it gets its default in a new object and stays as it is in an existing one.
  ///
  /// Everything is read and checked before anything is written. Traps outside of a write transaction.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - value: The value.
  ///   - update: What happens to an object that has the same primary key. With `.error` this throws
  ///     ``Realm/Error/Code/duplicatePrimaryKey``.
  ///   - limits: How much is taken, and what is refused.
  /// - Throws: ``Realm/Error`` with ``Realm/Error/Code/invalidInput``; what the value throws when it is encoded.
  /// - Complexity: O(1) amortised for each object and element.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, from value: some Encodable, update: UpdatePolicy = .error, limits: CreationLimits = CreationLimits()
  ) throws -> T {
    try create(type, NodeEncoder.encode(value, depthMax: limits.depth), update, limits, .encoded)
  }

  private func create<T: Object>(
    _ type: T.Type, bytes: UnsafeBufferPointer<UInt8>, _ update: UpdatePolicy, _ limits: CreationLimits
  ) throws -> T {
    if bytes.count > limits.byteCount {
      throw Error(
        InvalidValue(
          message: "The JSON text has \(bytes.count) bytes, and \(limits.byteCount) are allowed. Give less at once, or "
            + "allow more.", expected: "at most \(limits.byteCount) bytes", found: "\(bytes.count)"))
    }
    let value: Any
    do {
      value = try JSONReader.read(bytes, depthMax: limits.depth)
    } catch let failure as JSONReader.Failure {
      throw Error(
        InvalidValue(
          message: "The text is not JSON that can be read: there is \(failure.reason) at byte \(failure.position).",
          expected: "JSON", found: failure.reason))
    }
    return try create(type, value, update, limits, .json)
  }

  private func create<T: Object>(
    _ type: T.Type, _ value: Any, _ update: UpdatePolicy, _ limits: CreationLimits, _ form: InputForm
  ) throws -> T {
    let writer = requireWriter()
    let handle = instance.requireHandle(type)
    if update != .error, let object = managedObject(value, type) { return object }
    do {
      let drafting = Drafting(instance, writer, update, limits, form: form)
      return unsafeDowncast(handle.accessor(try ObjectCreator(drafting).create(handle, value)), to: type)
    } catch let error as InvalidValue {
      throw Error(error)
    }
  }

  /// The object that `value` is, if it is one of this realm and of the class.
  func managedObject<T: Object>(_ value: Any, _ type: T.Type) -> T? {
    guard let object = Unwrapping.value(value) as? T, object._instance === instance, Swift.type(of: object) == type,
      !object._isGone
    else { return nil }
    return object
  }
}
