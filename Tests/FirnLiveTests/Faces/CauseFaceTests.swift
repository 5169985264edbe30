import Foundation
import TestSupport
import Testing

@testable import Firn

/// Who wrote, as observers of everything that is derived are told.
@Suite("Causes of what is derived")
struct CauseFaceTests {
  @Test("are told by sections, live values, groups and projections")
  func faces() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["anna", "bert"])
      let players = realm.objects(SectionPlayer.self)
      var told: [String: [[String]]] = [:]
      func note(_ name: String) { told[name, default: []].append(realm.causes.compactMap(\.author)) }
      let card = try #require(realm.objects(SectionPlayerCard.self).first)
      let sections = players.sectioned(by: \.group)
      let tokens = [
        sections.observe { _ in note("sections") },
        sections[0].observe { _ in note("section") },
        players.liveValue { $0.sum(of: \.number) }.observe { _ in note("value") },
        players.grouped(by: \.group) { $0.count }.observe { _ in note("groups") },
        card.observe { (_: ObjectChange<SectionPlayerCard>) in note("projection") },
        players.where { $0.number >= 0 }.observe { _ in note("query") },
        realm.observe { _, _ in note("realm") },
      ]
      realm.refresh()
      told = [:]
      let anna = try #require(realm.object(ofType: SectionPlayer.self, forPrimaryKey: 0))
      try realm.write(author: "a") {
        anna.number = 50
        anna.group = "b"
        anna.name = "x"
      }
      try realm.write(author: "b") { realm.add(SectionPlayer(7, "carl", group: "c", number: 9)) }
      realm.refresh()
      for name in ["sections", "value", "groups", "query", "realm"] {
        #expect(told[name] == [["a"], ["b"]], "\(name)")
      }
      #expect(told["projection"] == [["a"]])
      #expect(told["section"] == [["a"]])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("of what is no reason for a call come with the next that is")
  func pendingSections() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["anna", "bert"])
      let sections = realm.objects(SectionPlayer.self).sectioned(
        by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "id")])
      var told: [[String]] = []
      let token = sections.observe(keyPaths: ["number"]) { _ in told.append(realm.causes.compactMap(\.author)) }
      realm.refresh()
      let bert = try #require(realm.object(ofType: SectionPlayer.self, forPrimaryKey: 1))
      try realm.write(author: "a") { bert.name = "clara" }
      realm.refresh()
      try realm.write(author: "b") { bert.number = 9 }
      realm.refresh()
      try realm.write(author: "c") { bert.number = 10 }
      realm.refresh()
      #expect(told == [[], ["a", "b"], ["c"]])
      token.invalidate()
    }
  }
}
