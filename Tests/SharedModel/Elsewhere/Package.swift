// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "realm-swift",
  products: [.library(name: "RealmSwift", targets: ["RealmSwift"])],
  targets: [.target(name: "RealmSwift")]
)
