// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "FirnBenchmarks",
  products: [
    .executable(name: "firn-bench", targets: ["FirnBench"]),
    .executable(name: "firn-counts", targets: ["FirnCounts"]),
    .executable(name: "firn-soak", targets: ["FirnSoak"]),
    .executable(name: "firn-power-loss", targets: ["FirnPowerLoss"]),
  ],
  traits: [
    .trait(name: "Encryption", description: "Measures encrypted files as well.")
  ],
  dependencies: [
    .package(
      name: "Firn", path: "../", traits: [.trait(name: "Encryption", condition: .when(traits: ["Encryption"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .target(name: "CBench", linkerSettings: [.linkedLibrary("zstd")]),
    .executableTarget(
      name: "FirnBench",
      dependencies: [
        "CBench",
        .product(name: "Firn", package: "Firn"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    // Fixed loops whose instructions are counted. `Data`, `Models` and some of `Harness` are those of the benchmarks:
    // properties inline into the module of their class only.
    .target(name: "CCounts"),
    .executableTarget(
      name: "FirnCounts",
      dependencies: ["CBench", "CCounts", .product(name: "Firn", package: "Firn")],
      swiftSettings: settings
    ),
    // Hours of load, checked.
    .executableTarget(
      name: "FirnSoak",
      dependencies: [
        .product(name: "Firn", package: "Firn"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    // Runs on a disk that loses power, see Tests/PowerLoss.
    .executableTarget(
      name: "FirnPowerLoss",
      dependencies: [
        .product(name: "Firn", package: "Firn"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
  ]
)
