import CCounts
import Firn

/// Runs one loop, for a program that counts instructions. Without arguments it lists the loops with their turns.
///
///     firn-counts NUMBER TURNS
@main
enum FirnCounts {
  static func main() throws {
    // The work for the log depends on time, not on the loop.
    Logger.shared.level = .off
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    if numbers.count == 2 {
      try Loop.all[numbers[0]].prepare()(numbers[1])
    } else {
      for (number, loop) in Loop.all.enumerated() {
        print(number, loop.turnCount, loop.row, loop.name, separator: "\t")
      }
    }
  }
}
