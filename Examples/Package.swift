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
    .package(name: "Firn", path: "../"),
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
    .executableTarget(
      name: "Departures",
      dependencies: [
        "DeparturePlan",
        .product(name: "Firn", package: "Firn"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Departures/Board",
      swiftSettings: settings
    ),
    .testTarget(
      name: "DeparturePlanTests",
      dependencies: ["DeparturePlan", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Departures/Tests",
      swiftSettings: settings
    ),
  ]
)
