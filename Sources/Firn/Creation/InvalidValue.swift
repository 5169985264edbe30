internal import FirnEngine
internal import Foundation

/// Why a value cannot become an object.
struct InvalidValue: Error {
  /// A sentence that names class and property.
  var message: String
  /// What would have been right.
  var expected: String
  /// The type of what was given.
  var found: String
  /// Where in the input it stands: `$.parts[3].size`.
  var path: String?
  /// What kind of failure it is where values from outside are read.
  var code = Realm.Error.Code.invalidInput
  /// The class that the schema would need, if that is what is wrong.
  var missingClass: ObjectBase.Type?

  init(message: String, expected: String = "", found: String = "") {
    self.message = message
    self.expected = expected
    self.found = found
  }

  /// A primary key that another object has.
  static func duplicateKey(_ key: String, of className: String) -> InvalidValue {
    var invalid = InvalidValue(
      message:
        "Attempting to create an object of type '\(className)' with an existing primary key value '\(key)'. Give "
        + "another key, or the update policy .modified or .all.", expected: "a primary key that no object has",
      found: "one that exists")
    invalid.code = .duplicatePrimaryKey
    return invalid
  }

  /// An object that was deleted, from which nothing can be copied and to which nothing can link.
  static func deleted(_ object: ObjectBase, expected: String) -> InvalidValue {
    InvalidValue(
      message:
        "Object has been deleted or invalidated. The one of class '\(object._modelName)' can be neither copied nor "
        + "linked to: leave it out. isInvalidated tells.", expected: expected, found: "a deleted object")
  }

  /// The same for an element of the input.
  func inElement(_ index: Int) -> InvalidValue {
    var copy = self
    copy.path = "$[\(index)]" + (path ?? "$").dropFirst()
    return copy
  }

  func at(_ path: @autoclosure () -> String) -> InvalidValue {
    if self.path != nil { return self }
    var copy = self
    copy.path = path()
    return copy
  }
}

extension InvalidValue {
  /// Ends the process for a value that the program itself gave. Places other than properties of the outermost object are
  /// named.
  static func trap(_ error: any Error, _ site: CallSite? = nil) -> Never {
    guard let error = error as? InvalidValue else { RealmInstance.trap(site, "\(error)") }
    guard let path = error.path, path.dropFirst(2).contains(where: { $0 == "." || $0 == "[" }) || path.hasPrefix("$[")
    else { RealmInstance.trap(site, error.message) }
    RealmInstance.trap(site, "\(error.message) (at \(path))")
  }
}

/// How messages show values from outside: short, and without walking through what is inside of them.
enum ShownValue {
  private static let characterCountMax = 60

  static func text(_ input: Any) -> String {
    switch input {
    case let text as String:
      // A character may have any number of scalars.
      let start = text.unicodeScalars.prefix(characterCountMax)
      return start.endIndex == text.endIndex ? text : String(start) + "…"
    case let object as ObjectBase: return object._modelName
    // Foundation ends the process for a date that no calendar has.
    case let date as Date where !(abs(date.timeIntervalSinceReferenceDate) < 1e11):
      return "\(date.timeIntervalSinceReferenceDate) seconds after 2001"
    case is JSONObject, is any Collection: return typeName(input)
    default: return String("\(input)".prefix(characterCountMax))
    }
  }

  /// How messages call the type of a value.
  static func typeName(_ input: Any) -> String {
    switch input {
    case let number as JSONNumber: number.isInteger ? "Int" : "Double"
    case is JSONObject: "Dictionary<String, Any>"
    default: "\(type(of: input))"
    }
  }
}
