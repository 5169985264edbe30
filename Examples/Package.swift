// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Examples",
  products: [
    .executable(name: "Departures", targets: ["Departures"])
  ],
  dependencies: [
    .package(name: "Firn", path: "../", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
  ],
  targets: [
    // What needs no store: the day's data, the timed events of the replay, the options.
    .target(
      name: "DeparturePlan",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Departures/Plan",
      resources: [.copy("Data")],
      swiftSettings: settings
    ),
    // What needs no store either: values to be shown, drawn as a full screen, and the terminal.
    .target(
      name: "DepartureScreen",
      path: "Departures/Screen",
      swiftSettings: settings
    ),
    // The store: its model classes, the replay that writes, the observers that bring values.
    .target(
      name: "DepartureBoard",
      dependencies: ["DeparturePlan", "DepartureScreen", .product(name: "Firn", package: "Firn")],
      path: "Departures/Board",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Departures",
      dependencies: [
        "DeparturePlan", "DepartureScreen", "DepartureBoard",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Departures/Main",
      swiftSettings: settings
    ),
    // What tests see the screen with.
    .target(
      name: "TerminalEmulation",
      path: "Departures/Tests/Emulator",
      swiftSettings: settings
    ),
    .testTarget(
      name: "DeparturePlanTests",
      dependencies: ["DeparturePlan", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Departures/Tests/Plan",
      swiftSettings: settings
    ),
    .testTarget(
      name: "DepartureScreenTests",
      dependencies: ["DepartureScreen", "TerminalEmulation"],
      path: "Departures/Tests/Screen",
      swiftSettings: settings
    ),
    .testTarget(
      name: "DepartureBoardTests",
      dependencies: ["DepartureBoard", "DeparturePlan", "DepartureScreen", .product(name: "Firn", package: "Firn")],
      path: "Departures/Tests/Board",
      swiftSettings: settings
    ),
    // A program to be killed while it writes, and what it writes.
    .target(
      name: "CrashStore",
      dependencies: [.product(name: "Firn", package: "Firn")],
      path: "CrashWriter/Store",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "CrashWriter",
      dependencies: ["CrashStore", .product(name: "Firn", package: "Firn")],
      path: "CrashWriter/Main",
      swiftSettings: settings
    ),
    .testTarget(
      name: "CrashWriterTests",
      dependencies: ["CrashStore", "CrashWriter", .product(name: "Firn", package: "Firn")],
      path: "Tests/CrashWriterTests",
      swiftSettings: settings
    ),
    // Model files as users have them, in a package that depends on Firn as theirs do.
    .testTarget(
      name: "ModelSamplesTests",
      dependencies: [.product(name: "Firn", package: "Firn")],
      path: "ModelSamples",
      swiftSettings: settings
    ),
    // Data layers in the styles of RealmSwift's users, in the language mode that most of them have.
    .testTarget(
      name: "DataLayerTests",
      dependencies: [.product(name: "Firn", package: "Firn")],
      path: "DataLayers",
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // The code of the README as a program.
    .executableTarget(
      name: "Readme",
      dependencies: [.product(name: "Firn", package: "Firn")],
      path: "Readme",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: ["Readme"],
      path: "Tests/ReadmeTests",
      swiftSettings: settings
    ),
    // Drives the program in a pseudo-terminal.
    .testTarget(
      name: "DeparturesTests",
      dependencies: [
        "Departures", "DepartureBoard", "TerminalEmulation", .product(name: "Firn", package: "Firn"),
      ],
      path: "Departures/Tests/Terminal",
      swiftSettings: settings
    ),
  ]
)
