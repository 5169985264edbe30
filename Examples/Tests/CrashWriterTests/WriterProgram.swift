import Foundation

/// The program that is killed, beside the tests.
enum WriterProgram {
  static var executable: URL {
    URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first { $0.contains(".xctest") } ?? "/proc/self/exe")
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("CrashWriter")
  }
}
