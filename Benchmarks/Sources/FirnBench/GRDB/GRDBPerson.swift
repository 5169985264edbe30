import Foundation
import GRDB

/// A person as GRDB's users fetch it.
struct GRDBPerson: FetchableRecord {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var city: String
  var created: Date
  var active: Bool
  var best: Int?

  init(row: Row) {
    id = row[0]
    name = row[1]
    age = row[2]
    score = row[3]
    city = row[4]
    created = Date(timeIntervalSinceReferenceDate: row[5])
    active = row[6]
    best = row[7]
  }
}
