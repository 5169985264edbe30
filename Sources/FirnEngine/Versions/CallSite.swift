/// Where in the user's code a function was called, for messages.
package struct CallSite: Sendable, CustomStringConvertible {
  let function: StaticString
  package let file: StaticString
  package let line: UInt

  package init(function: StaticString, file: StaticString, line: UInt) {
    self.function = function
    self.file = file
    self.line = line
  }

  package var description: String { "\(function) at \(file):\(line)" }
}
