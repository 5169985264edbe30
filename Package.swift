// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// OpenCombine stands in where there is no Combine.
let publishing = TargetDependencyCondition.when(platforms: [.linux], traits: ["Publishers"])

let package = Package(
  name: "Firn",
  products: [
    .library(name: "Firn", targets: ["Firn"]),
    .library(name: "FirnMapping", targets: ["FirnMapping"]),
    .library(name: "FirnCombine", targets: ["FirnCombine"]),
  ],
  traits: [
    .trait(name: "Encryption", description: "Stores can be encrypted. Builds swift-crypto."),
    .trait(
      name: "Publishers", description: "FirnCombine has publishers. Builds OpenCombine where there is no Combine."),
    .default(enabledTraits: ["Publishers"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", "3.12.3"..<"5.0.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
  ],
  targets: [
    .target(name: "CFirn"),
    .target(name: "FirnEngine", dependencies: ["CFirn"], swiftSettings: settings),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .target(
      name: "FirnDurability",
      dependencies: [
        "CFirn", "CZstd", "FirnEngine",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
      ],
      exclude: ["FileFormat.md"], swiftSettings: settings),
    .target(name: "FirnReactive", dependencies: ["FirnEngine"], swiftSettings: settings),
    .target(
      name: "Firn",
      dependencies: [
        "CFirn", "FirnDurability", "FirnEngine", "FirnReactive", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // What the tests of several targets need.
    .target(name: "TestSupport", dependencies: ["FirnEngine"], path: "Tests/TestSupport", swiftSettings: settings),
    // Counts what is done, in builds that are made for it.
    .target(name: "StepCounter", path: "Tests/StepCounter"),
    // The simulated disk.
    .target(
      name: "StoreTestSupport", dependencies: ["FirnDurability", "FirnEngine", "TestSupport"],
      path: "Tests/StoreTestSupport", swiftSettings: settings),
    .testTarget(
      name: "FirnEngineTests", dependencies: ["CFirn", "FirnEngine", "TestSupport"],
      exclude: ["Geometry/Fixture", "Values/Vectors"],
      swiftSettings: settings),
    .testTarget(
      name: "FirnDurabilityTests",
      dependencies: ["CFirn", "FirnDurability", "FirnEngine", "StepCounter", "StoreTestSupport"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "FirnReactiveTests", dependencies: ["FirnEngine", "FirnReactive", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "FirnTests", dependencies: ["Firn", "FirnDurability", "FirnEngine", "FirnReactive", "StoreTestSupport"],
      swiftSettings: settings),
    // Projections, sections and live values, and the histories of everything that observes.
    .testTarget(
      name: "FirnLiveTests", dependencies: ["Firn", "FirnEngine", "FirnReactive", "TestSupport"],
      swiftSettings: settings),
    .target(name: "FirnMapping", dependencies: ["Firn"], swiftSettings: settings),
    .testTarget(
      name: "FirnMappingTests", dependencies: ["Firn", "FirnMapping", "TestSupport"],
      exclude: ["Templates/FirnMapping.code-snippets"], swiftSettings: settings),
    .target(
      name: "FirnCombine",
      dependencies: [
        "Firn", "FirnEngine",
        .product(name: "OpenCombine", package: "OpenCombine", condition: publishing),
        .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: publishing),
        .product(name: "OpenCombineFoundation", package: "OpenCombine", condition: publishing),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FirnCombineTests", dependencies: ["Firn", "FirnCombine", "FirnEngine", "FirnReactive", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "FirnCompatibilityTests", dependencies: ["Firn", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "FirnEncryptionTests", dependencies: ["Firn"], swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Firn", "FirnCombine", "FirnMapping"], swiftSettings: settings),
  ]
)

#if os(Linux)
  // For files that import RealmSwift. Elsewhere that is a package, and no graph may have two targets of one name.
  package.products.append(.library(name: "RealmSwift", targets: ["RealmSwift"]))
  package.targets.append(.target(name: "RealmSwift", dependencies: ["Firn", "FirnCombine"], swiftSettings: settings))
#endif

// Only these test targets, divided by spaces: for builds of another kind, which need not have them all.
if let names = Context.environment["FIRN_TEST_TARGETS"] {
  let names = Set(names.split(separator: " "))
  package.targets.removeAll { $0.type == .test && !names.contains($0.name[...]) }
}
