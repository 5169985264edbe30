import Firn
import Synchronization

/// What code prints, for the tests that run the code of the documentation.
final class Printout: Sendable {
  @TaskLocal private static var current: Printout?
  private let text = Mutex("")

  /// What `body` prints by the function below, here and in the tasks that it starts.
  static func of(_ body: () throws -> Void) rethrows -> String {
    let printout = Printout()
    try $current.withValue(printout, operation: body)
    return printout.text.withLock { $0 }
  }

  /// What `body` prints by the function below, here and in the tasks that it starts.
  static func of(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async rethrows -> String {
    let printout = Printout()
    try await $current.withValue(printout, operation: body, isolation: isolation)
    return printout.text.withLock { $0 }
  }

  static func add(_ line: String) {
    if let current { current.text.withLock { $0 += line } } else { Swift.print(line, terminator: "") }
  }
}

/// In place of the standard one, which code in this module would call otherwise.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Printout.add(items.map { "\($0)" }.joined(separator: separator) + terminator)
}

/// A realm of some classes for one test. The names of classes are those of the documentation, and not unique.
func makeRealm(_ types: ObjectBase.Type...) throws -> Realm {
  try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
}
