internal import FirnEngine

/// Counts what an input consists of; throws when it is more than the limits allow.
struct InputMeter {
  let limits: CreationLimits?
  private var valueCount = 0
  private var byteCount = 0

  init(_ limits: CreationLimits?) { self.limits = limits }

  /// How many more elements there may be.
  var rest: Int { limits.map { max(0, $0.valueCount - valueCount) } ?? .max }

  mutating func addValue() throws {
    guard let limits else { return }
    valueCount += 1
    if valueCount > limits.valueCount { throw Self.tooMany(limits) }
  }

  mutating func add(_ value: Value) throws {
    if limits == nil { return }
    try addValue()
    switch value {
    case .string(let bytes), .data(let bytes): try add(byteCount: bytes.count)
    default: return
    }
  }

  /// Counts what strings and data consist of.
  mutating func add(byteCount count: Int) throws {
    guard let limits else { return }
    byteCount += count
    if byteCount > limits.byteCount {
      throw InvalidValue(
        message: "The input has more than \(limits.byteCount) bytes of strings and data. Give less at once, or allow "
          + "more.",
        expected: "at most \(limits.byteCount) bytes", found: "more")
    }
  }

  func check(depth: Int) throws {
    guard let limits, depth > limits.depth else { return }
    throw InvalidValue(
      message: "Objects and collections of the input lie more than \(limits.depth) deep within each other.",
      expected: "a depth of at most \(limits.depth)", found: "more")
  }

  static func tooMany(_ limits: CreationLimits) -> InvalidValue {
    InvalidValue(
      message: "The input has more than \(limits.valueCount) values. Give less at once, or allow more.",
      expected: "at most \(limits.valueCount) values", found: "more")
  }
}
