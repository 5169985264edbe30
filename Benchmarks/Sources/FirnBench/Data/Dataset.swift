import Foundation

/// The persons that every engine is filled with: uniformly random from a fixed seed, except that ids count up, as those
/// of a growing table do.
///
/// Names are kept as bytes, so that each engine makes its own `String` from them. Were they strings already, objects of
/// plain Swift would share their storage, and neither the time nor the memory of it would be seen.
final class Dataset: Sendable {
  static let cityCount = 1_000
  /// How many persons, the first ones, a bulk insert links to: the target of a link must exist already.
  static let elderCount = 1_000

  let count: Int
  let cities: [String]
  let ages: [Int]
  let scores: [Double]
  let cityIndexes: [Int]
  let actives: [Bool]
  /// The position of the person that each person links to, once all are there.
  let bests: [Int]

  let nameBytes: [UInt8]
  private let nameEnds: [Int]
  private let createdMilliseconds: [Int]

  init(count: Int, seed: UInt64 = 20_261_121) {
    var random = SeededGenerator(seed: seed)
    self.count = count
    cities = (0..<Self.cityCount).map { "City \($0)" }

    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    var nameBytes: [UInt8] = []
    nameBytes.reserveCapacity(count * 16)
    nameEnds = (0..<count).map { _ in
      for _ in 0..<Int.random(in: 8...24, using: &random) {
        nameBytes.append(letters[Int.random(in: 0..<letters.count, using: &random)])
      }
      return nameBytes.count
    }
    self.nameBytes = nameBytes
    ages = (0..<count).map { _ in Int.random(in: 0..<100, using: &random) }
    scores = (0..<count).map { _ in Double.random(in: 0..<1_000, using: &random) }
    cityIndexes = (0..<count).map { _ in Int.random(in: 0..<Self.cityCount, using: &random) }
    createdMilliseconds = (0..<count).map { _ in Int.random(in: 0..<800_000_000_000, using: &random) }
    actives = (0..<count).map { _ in Bool.random(using: &random) }
    bests = (0..<count).map { _ in Int.random(in: 0..<count, using: &random) }
  }

  /// The person with id `index`. From `count` on the values repeat under ids of their own, so there are always more.
  func record(at index: Int) -> PersonRecord {
    let position = index % count
    return PersonRecord(
      id: index,
      name: name(at: position),
      age: ages[position],
      score: scores[position],
      city: cities[cityIndexes[position]],
      created: Date(timeIntervalSinceReferenceDate: created(at: position)),
      active: actives[position]
    )
  }

  func name(at position: Int) -> String {
    String(decoding: nameBytes[nameRange(at: position)], as: UTF8.self)
  }

  /// Seconds since the reference date.
  func created(at position: Int) -> Double { Double(createdMilliseconds[position]) / 1_000 }

  func nameByteCount(at position: Int) -> Int {
    nameRange(at: position).count
  }

  /// Which of the elders the person at `index` links to while persons are still being added.
  func elder(of index: Int) -> Int {
    bests[index % count] % elderCount
  }

  var elderCount: Int { min(Self.elderCount, count) }

  private func nameRange(at position: Int) -> Range<Int> {
    (position == 0 ? 0 : nameEnds[position - 1])..<nameEnds[position]
  }
}
