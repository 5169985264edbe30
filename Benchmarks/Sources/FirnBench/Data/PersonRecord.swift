import Foundation

/// One person as it comes from outside, before any engine has it.
struct PersonRecord {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var city: String
  var created: Date
  var active: Bool
}
