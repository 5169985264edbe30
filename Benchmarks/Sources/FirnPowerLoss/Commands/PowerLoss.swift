import ArgumentParser

/// The program that runs on a disk that loses power. The driver in `Tests/PowerLoss` starts, kills and judges it.
@main
struct PowerLoss: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firn-power-loss",
    abstract: "Writes to a store, notes what was promised, and checks that it is there.",
    subcommands: [WriteCommand.self, CheckCommand.self, ReadCommand.self, DeleteCommand.self])
}
