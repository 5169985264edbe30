/// Why chunks do not make a graph. The message names the table and column.
package struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  package let message: String

  package init(message: String) { self.message = message }

  package var description: String { message }
}
