/// What is measured side by side.
enum Engine: String, CaseIterable, Codable {
  case firn
  case plain
  case grdb

  var title: String {
    switch self {
    case .firn: "Firn"
    case .plain: "plain Swift"
    case .grdb: "GRDB"
    }
  }
}
