import Foundation
import TestSupport
import Testing

@testable import Firn

/// Mistakes with sections end the process with a sentence that names the rule.
@Suite struct SectionTrapTests {
  @Test func accessToASectionWhoseKeyVanished() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Sectioned.realm(["a"])
      let section = realm.objects(SectionPlayer.self).sectioned(by: \.group)[0]
      try realm.write { realm.deleteAll() }
      if !section.isInvalidated { exit(EXIT_SUCCESS) }
      _ = section.count
    }
    #expect(sectionsSaid("Access to invalidated Results objects", result))
  }

  @Test func descriptorsThatDoNotBeginWithTheKeyPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Sectioned.realm(["a"])
      _ = realm.objects(SectionPlayer.self).sectioned(by: \.group, sortDescriptors: ["name", "group"])
    }
    #expect(sectionsSaid("must match the primary sort descriptor", result))
  }

  @Test func noDescriptors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Sectioned.realm(["a"])
      _ = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: []) { $0.name }
    }
    #expect(sectionsSaid("empty sortDescriptor parameter", result))
    #expect(sectionsSaid("at least one SortDescriptor", result))
  }

  @Test func linksAsKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Sectioned.realm(["a"])
      _ = realm.objects(SectionPlayer.self).sectioned(by: { $0.team }, sortDescriptors: ["name"])
    }
    #expect(sectionsSaid("Links are not supported as section keys", result))
  }

  @Test func positionsOutOfBounds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Sectioned.realm(["a"]).objects(SectionPlayer.self).sectioned(by: \.group)[1]
    }
    #expect(sectionsSaid("Index 1 is out of bounds", result))
    let inSection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Sectioned.realm(["a"]).objects(SectionPlayer.self).sectioned(by: \.group)[0][1]
    }
    #expect(sectionsSaid("Index 1 is out of bounds", inSection))
    let byPath = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sections = try Sectioned.realm(["a"]).objects(SectionPlayer.self).sectioned(by: \.group)
      _ = sections[IndexPath(item: 0, section: -1)]
    }
    #expect(sectionsSaid("Cannot pass a negative value", byPath))
  }

  @Test func unmanagedCollections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionTeam().players.sectioned(by: \.group)
    }
    #expect(sectionsSaid("This method may only be called on", result))
  }

  @Test func observingFrozenSections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sections = try Sectioned.realm(["a"]).objects(SectionPlayer.self).sectioned(by: \.group).freeze()
      _ = sections.observe { _ in }
    }
    #expect(sectionsSaid("Frozen Realms do not change", result))
  }
}

private func sectionsSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}
