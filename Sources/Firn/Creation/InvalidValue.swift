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

  init(message: String, expected: String = "", found: String = "") {
    self.message = message
    self.expected = expected
    self.found = found
  }

  func at(_ path: @autoclosure () -> String) -> InvalidValue {
    if self.path != nil { return self }
    var copy = self
    copy.path = path()
    return copy
  }
}

/// How messages show values from outside: short, and without walking through what is inside of them.
enum ShownValue {
  private static let characterCountMax = 60

  static func text(_ input: Any) -> String {
    switch input {
    case let text as String:
      let start = text.prefix(characterCountMax)
      return start.endIndex == text.endIndex ? text : start + "…"
    case let object as ObjectBase: return object._modelName
    case is any Collection: return "\(type(of: input))"
    default: return String("\(input)".prefix(characterCountMax))
    }
  }
}
