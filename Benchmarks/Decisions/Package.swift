// swift-tools-version: 6.2
import PackageDescription

/// One program per decision: it compares the choices on the engine's real sources and prints a small table.
/// Run one with `swift run -c release BlockOwnership`. To add one, make a folder and name it here.
let decisions = [
  "BlockOwnership",
  "HashIndex",
]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
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
)
