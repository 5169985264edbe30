// swift-tools-version: 6.2
import PackageDescription

// One model for a server, with Firn, and for an app, where `Elsewhere` stands in for realm-swift. Both have a target
// `RealmSwift`, so that only one of them may be in the graph: a condition of the dependency would not do.
#if os(Linux)
  let realm = Package.Dependency.package(name: "Firn", path: "../..")
  let realmPackage = "Firn"
#else
  let realm = Package.Dependency.package(name: "realm-swift", path: "Elsewhere")
  let realmPackage = "realm-swift"
#endif

let package = Package(
  name: "SharedModel",
  dependencies: [realm],
  targets: [
    .target(name: "Model", dependencies: [.product(name: "RealmSwift", package: realmPackage)]),
    .target(
      name: "Board", dependencies: ["Model"],
      swiftSettings: [.unsafeFlags(["-module-alias", "Combine=FirnCombine"], .when(platforms: [.linux]))]),
  ]
)
