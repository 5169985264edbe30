import Foundation

/// How many rounds, seeds or kills a variable of the environment asks for; nil when it is not set, or no such number.
package func environmentNumber<Number: LosslessStringConvertible>(_ name: String) -> Number? {
  ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
}
