// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Firn",
  products: [
    .library(name: "Firn", targets: ["Firn"])
  ],
  targets: [
    .target(name: "CFirn"),
    .target(name: "FirnEngine", dependencies: ["CFirn"], swiftSettings: settings),
    .target(name: "FirnReactive", dependencies: ["FirnEngine"], swiftSettings: settings),
    .target(name: "Firn", dependencies: ["FirnEngine", "FirnReactive"], swiftSettings: settings),
    .testTarget(name: "FirnEngineTests", dependencies: ["FirnEngine"], swiftSettings: settings),
  ]
)
