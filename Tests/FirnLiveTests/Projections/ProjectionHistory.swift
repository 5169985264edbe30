import Foundation
import TestSupport
import Testing

@testable import Firn

/// The values of a track that an observer is told.
struct TrackRow: ValueProjection, Equatable {
  let id: Int
  let title: String
  let country: String?
  let nicks: [String]

  static var keyPaths: [PartialKeyPath<ProjectedTrack>] {
    [\.title, \.label?.country, \.players[0].nick]
  }

  init(projecting track: ProjectedTrack) {
    MadeRows.ofThread?.count += 1
    id = track.id
    title = track.title
    country = track.label?.country
    nicks = track.players.map(\.nick)
  }
}

/// Counts the rows that are made on one thread.
final class MadeRows {
  var count = 0
  /// How many of them the test itself made.
  var byTest = 0
  /// How many observers were told to be new.
  var reported = 0

  private static let key = "MadeRows"

  static var ofThread: MadeRows? { Thread.current.threadDictionary[key] as? MadeRows }

  /// Counts from now on, on the calling thread.
  static func start() -> MadeRows {
    let made = MadeRows()
    Thread.current.threadDictionary[key] = made
    return made
  }
}

/// Random transactions beside observers of projections that come and go, and that lag by random spans. What they are told,
/// applied to what they had, has to be what the graph has.
final class ProjectionHistory {
  let realm: Realm
  var random: SeededRandom
  var history: [String] = []
  private let other: Realm
  private let queue = DispatchQueue(label: "projections.elsewhere")
  private var followers: [any ProjectionFollower] = []
  private var nextID = 0
  private let made = MadeRows.start()
  /// An observer that writes when it is told, before others are.
  private var writer: NotificationToken?
  private var writesWhenTold = false

  init(seed: UInt64) throws {
    let configuration = Projecting.configuration()
    realm = try Realm(configuration: configuration)
    random = SeededRandom(seed)
    let queue = queue
    other = try queue.sync { Unchecked(try Realm(configuration: configuration, queue: queue)) }.value
    try realm.write {
      for country in ["US", "FR"] { realm.create(ProjectedLabel.self, value: ["country": country]) }
      for number in 0..<4 {
        realm.create(ProjectedPlayer.self, value: ["nick": "p\(number)", "age": number] as [String: Any])
      }
      for _ in 0..<random.below(6) { add(in: realm) }
    }
    writer = realm.objects(ProjectedTrack.self).observe { [unowned self] _ in
      guard writesWhenTold else { return }
      writesWhenTold = false
      history.append("when told")
      do { try realm.write { change(in: realm) } } catch { history.append("\(error)") }
    }
  }

  /// Some steps. What went wrong; empty when nothing did.
  func run(steps: Int) throws -> [String] {
    for _ in 0..<steps {
      writesWhenTold = random.chance(20)
      try step()
      realm.refresh()
      // What was written meanwhile.
      writesWhenTold = false
      realm.refresh()
      var mistakes = followers.flatMap { $0.check(realm) }
      if made.count - made.byTest != made.reported {
        mistakes.append("\(made.count - made.byTest) rows were made, of which \(made.reported) are new")
      }
      if !mistakes.isEmpty { return mistakes }
    }
    for follower in followers { follower.end() }
    writer?.invalidate()
    return []
  }

  private func step() throws {
    if random.chance(30) || followers.isEmpty { observe() }
    if random.chance(10), let position = followers.indices.randomElement(using: &random) {
      history.append("end \(position)")
      followers.remove(at: position).end()
    }
    // Several commits may pass before anything is delivered.
    for _ in 0...random.below(4) {
      if random.chance(50) {
        history.append("elsewhere")
        try queue.sync { try other.write { for _ in 0...random.below(3) { change(in: other) } } }
      } else {
        history.append("here")
        try realm.write { for _ in 0...random.below(3) { change(in: realm) } }
      }
    }
  }

  // MARK: Changing

  private func add(in realm: Realm) {
    let track = ProjectedTrack()
    (track.id, track.title, track.seconds) = (nextID, word(), random.below(4))
    track.label = realm.objects(ProjectedLabel.self).randomElement(using: &random)
    nextID += 1
    realm.add(track)
  }

  private func word() -> String { ["a", "b", "c", "d"][random.below(4)] }

  private func change(in realm: Realm) {
    let tracks = realm.objects(ProjectedTrack.self)
    let players = realm.objects(ProjectedPlayer.self)
    let labels = realm.objects(ProjectedLabel.self)
    guard let track = tracks.randomElement(using: &random), random.chance(85) else {
      history.append("add \(nextID)")
      return add(in: realm)
    }
    let player = players.randomElement(using: &random)
    let kind = random.below(15)
    history.append("\(kind) of \(track.id)")
    switch kind {
    case 0: track.title = word()
    case 1: track.seconds = random.below(4)
    case 2: track.mood = random.chance(50) ? .calm : .loud
    case 3: track.label = random.chance(30) ? nil : labels.randomElement(using: &random)
    case 4: labels.randomElement(using: &random)?.country = ["US", "FR", "UK"][random.below(3)]
    case 5: labels.randomElement(using: &random)?.city = random.chance(30) ? nil : word()
    case 6: if let player { track.players.append(player) }
    case 7: if let player { track.players.insert(player, at: random.below(track.players.count + 1)) }
    case 8: if !track.players.isEmpty { track.players.remove(at: random.below(track.players.count)) }
    case 9: if let player, !track.players.isEmpty { track.players[random.below(track.players.count)] = player }
    case 10: player?.nick = word()
    case 11: player?.age += 1
    case 12: track.subtitle = word()
    case 13:
      switch random.below(4) {
      case 0: realm.delete(track)
      case 1: if let player, players.count > 2 { realm.delete(player) }
      case 2: track.players.removeAll()
      default:
        if let label = labels.randomElement(using: &random), random.chance(30) { realm.delete(label) }
        realm.create(ProjectedLabel.self, value: ["country": word()])
      }
    default: track.studio = random.chance(30) ? nil : ProjectedStudio(value: ["town": word()])
    }
  }

  // MARK: Observing

  private func observe() {
    let kind = random.below(6)
    history.append("observe \(kind)")
    let tracks = realm.objects(ProjectedTrack.self)
    let lines = realm.objects(TrackLine.self)
    switch kind {
    case 0:
      let query = lines.where { $0.length > 0 }
      followers.append(
        RowsFollower(query, keyPaths: []) {
          $0.text
        } expected: { realm in
          realm.objects(ProjectedTrack.self).filter { $0.seconds > 0 }.map { TrackLine(projecting: $0).text }
        })
    case 1:
      let query = realm.objects(TrackTitle.self).sorted(by: \.title, ascending: false).limit(3)
      followers.append(
        RowsFollower(query, keyPaths: [\.title]) {
          $0.title
        } expected: { realm in
          Array(realm.objects(ProjectedTrack.self).map(\.title).sorted(by: >).prefix(3))
        })
    case 2:
      guard let track = tracks.randomElement(using: &random) else { return }
      followers.append(NicksFollower(track))
    case 3, 4:
      guard let track = tracks.randomElement(using: &random) else { return }
      followers.append(MembersFollower(track))
    default:
      followers.append(ValuesFollower(tracks.where { $0.seconds < 3 }.sorted(by: \.seconds), made))
    }
  }
}

extension TrackLine {
  /// Everything that it shows.
  var text: String {
    "\(title) \(length) \(mood) \(house?.country ?? "-") \(city ?? "-") \(town ?? "-") \(Array(nicks))"
  }
}
