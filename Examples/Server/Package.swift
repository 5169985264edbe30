// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

// A package of its own, so that the other examples need no server.
let package = Package(
  name: "FlightServer",
  dependencies: [
    .package(name: "Firn", path: "../../", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
    .package(url: "https://github.com/apple/swift-async-algorithms", .upToNextMinor(from: "1.1.4")),
    .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
  ],
  targets: [
    // Models, routes, live updates.
    .target(
      name: "Flights",
      dependencies: [
        .product(name: "Firn", package: "Firn"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "FlightServer",
      dependencies: [
        "Flights",
        .product(name: "Firn", package: "Firn"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FlightServerTests",
      dependencies: [
        "Flights",
        .product(name: "Firn", package: "Firn"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
  ]
)
