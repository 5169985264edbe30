import Firn
import Foundation

/// How a process ends: each way has a status of its own, and a line that says more.
enum Outcome {
  /// Something that must never happen.
  enum Finding: String {
    /// A commit that was promised is not there.
    case lost
    /// There is more than was ever committed.
    case invented
    /// Something is there by halves, or is not what was committed.
    case different
    /// A promise of another kind was broken.
    case broken
  }

  private static let foundStatus: Int32 = 3
  private static let refusedStatus: Int32 = 4
  private static let failedStatus: Int32 = 5

  static func found(_ finding: Finding, _ text: String) -> Never {
    say("FOUND \(finding.rawValue): \(text)")
    _exit(foundStatus)
  }

  /// Opening or reading threw, which is right only where the disk fails.
  static func refused(_ what: String, _ error: any Error) -> Never {
    say("REFUSED \(name(error)) by \(what): \(error)")
    _exit(refusedStatus)
  }

  /// Writing or closing threw.
  static func failed(_ what: String, _ error: any Error) -> Never {
    say("FAILED \(name(error)) by \(what): \(error)")
    _exit(failedStatus)
  }

  /// Something threw, and the process goes on.
  static func threw(_ what: String, _ error: any Error) { say("THREW \(name(error)) by \(what): \(error)") }

  /// The code of an error, as the driver knows it.
  private static func name(_ error: any Error) -> String {
    (error as? Realm.Error).map { "\($0.code)" } ?? "\(type(of: error))"
  }
}

/// Prints a line at once.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
