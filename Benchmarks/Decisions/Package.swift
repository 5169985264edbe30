// swift-tools-version: 6.2
import PackageDescription

/// One program per decision: it compares the choices on the engine's real sources and prints a small table.
/// Run one with `swift run -c release BlockOwnership`. To add one, make a folder and name it here.
let decisions = [
  "BlockOwnership",
  "HashIndex",
  "Leaves",
  "Loading",
  "RowDirectory",
  "TipAndHead",
]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// What a property costs depends on the borders between modules, so this one has three of its own.
let accessorPath: [Target] = [
  .target(name: "CAccessorPath", path: "AccessorPath/C"),
  .target(
    name: "AccessorPathEngine", dependencies: ["CAccessorPath"], path: "AccessorPath/Engine", swiftSettings: settings),
  .target(
    name: "AccessorPathAPI", dependencies: ["AccessorPathEngine", "CAccessorPath"], path: "AccessorPath/API",
    swiftSettings: settings),
  .executableTarget(
    name: "AccessorPath", dependencies: ["AccessorPathAPI"], path: "AccessorPath/Loops", swiftSettings: settings),
]

/// `Engine` and `Kernels` are links to the sources of the library, so that `package` declarations are in reach.
let package = Package(
  name: "Decisions",
  targets: [
    .target(name: "CFirn", path: "Kernels"),
    .target(name: "FirnEngine", dependencies: ["CFirn"], path: "Engine", swiftSettings: settings),
  ]
    + decisions.map { name in
      .executableTarget(name: name, dependencies: ["FirnEngine"], path: name, swiftSettings: settings)
    }
    + accessorPath
)
