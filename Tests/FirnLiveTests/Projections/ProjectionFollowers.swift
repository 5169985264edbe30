import Foundation
import TestSupport
import Testing

@testable import Firn

/// Follows something by what it is told alone, and compares that with the graph.
protocol ProjectionFollower: AnyObject {
  /// What went wrong since the last time, once everything was delivered.
  func check(_ realm: Realm) -> [String]
  func end()
}

/// Follows results of projections.
final class RowsFollower<P: Projection<ProjectedTrack>>: ProjectionFollower {
  private var rows: [String] = []
  private var mistakes: [String] = []
  private let expected: (Realm) -> [String]
  private var token: NotificationToken?

  init(
    _ results: Results<P>, keyPaths: [PartialKeyPath<P>], _ text: @escaping (P) -> String,
    expected: @escaping (Realm) -> [String]
  ) {
    self.expected = expected
    token = results.observe(keyPaths: keyPaths) { [unowned self] change in
      switch change {
      case .initial(let results): rows = results.map(text)
      case .update(let results, let deletions, let insertions, let modifications):
        do {
          rows = try applied(rows, deletions: deletions, insertions: insertions, modifications: modifications) {
            text(results[$0])
          }
        } catch { mistakes.append("positions \(deletions) \(insertions) \(modifications) of \(rows.count) rows") }
      case .error: mistakes.append("an error")
      }
    }
  }

  func check(_ realm: Realm) -> [String] {
    let now = expected(realm)
    return mistakes + (rows == now ? [] : ["results \(rows), not \(now)"])
  }

  func end() { token?.invalidate() }
}

/// Follows the projected nicks of a track, of which deletion leaves nothing.
final class NicksFollower: ProjectionFollower {
  private var rows: [String] = []
  private var mistakes: [String] = []
  private let nicks: ProjectedCollection<String>
  private var token: NotificationToken?

  init(_ track: ProjectedTrack) {
    nicks = TrackLine(projecting: track).nicks
    token = nicks.observe(keyPaths: ["nick"]) { [unowned self] change in
      switch change {
      case .initial(let nicks): rows = Array(nicks)
      case .update(let nicks, let deletions, let insertions, let modifications):
        do {
          rows = try applied(rows, deletions: deletions, insertions: insertions, modifications: modifications) {
            nicks[$0]
          }
        } catch { mistakes.append("positions \(deletions) \(insertions) \(modifications) of \(rows.count) nicks") }
      case .error: mistakes.append("an error")
      }
    }
  }

  func check(_ realm: Realm) -> [String] {
    mistakes + (rows == Array(nicks) ? [] : ["nicks \(rows), not \(Array(nicks))"])
  }

  func end() { token?.invalidate() }
}

/// Follows the members of one projection: what is not reported has to be what it was.
final class MembersFollower: ProjectionFollower {
  private var known: [String: String]
  private var mistakes: [String] = []
  private var isDeleted = false
  private let line: TrackLine
  private var token: NotificationToken?

  init(_ track: ProjectedTrack) {
    line = TrackLine(projecting: track)
    known = Self.values(of: line)
    token = line.observe { [unowned self] change in
      switch change {
      case .change(let line, let changes): take(line, changes)
      case .deleted:
        if isDeleted { mistakes.append("deleted twice") }
        isDeleted = true
      case .error: mistakes.append("an error")
      }
    }
  }

  private func take(_ line: TrackLine, _ changes: [PropertyChange]) {
    if isDeleted { mistakes.append("a change after the deletion") }
    if line !== self.line { mistakes.append("another projection") }
    let labels = ProjectionMembers.of(line).all.map(\.label)
    let places = changes.map { labels.firstIndex(of: $0.name) ?? -1 }
    if Set(places).count != places.count || places.contains(-1) { mistakes.append("labels \(changes.map(\.name))") }
    for change in changes {
      // What is behind links has no value of its own from before.
      if ["title", "shout", "length", "mood"].contains(change.name), Self.text(change.oldValue) != known[change.name] {
        mistakes.append("old \(change.name): \(Self.text(change.oldValue)), not \(known[change.name] ?? "")")
      }
      if known[change.name] != nil { known[change.name] = Self.text(change.newValue) }
    }
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let label as ProjectedLabel: "label \(label._key)"
    case let value?: "\(value)"
    }
  }

  /// The members that are no collections.
  private static func values(of line: TrackLine) -> [String: String] {
    [
      "title": line.title, "length": "\(line.length)", "mood": "\(line.mood)",
      "country": line.house.map(\.country) ?? "nil", "city": line.city ?? "nil",
      "house": text(line.house), "town": line.town ?? "nil", "shout": line.shout,
    ]
  }

  func check(_ realm: Realm) -> [String] {
    if line.isInvalidated != isDeleted { return mistakes + ["deletion told: \(isDeleted)"] }
    if isDeleted { return mistakes }
    let now = Self.values(of: line)
    return mistakes + (known == now ? [] : ["members \(known), not \(now)"])
  }

  func end() { token?.invalidate() }
}

/// Follows values, which are made only of what came or was modified.
final class ValuesFollower: ProjectionFollower {
  private var rows: [TrackRow] = []
  private var mistakes: [String] = []
  private let results: Results<ProjectedTrack>
  private let made: MadeRows
  private var token: NotificationToken?

  init(_ results: Results<ProjectedTrack>, _ made: MadeRows) {
    self.results = results
    self.made = made
    token = results.observe(as: TrackRow.self) { [unowned self] change in
      switch change {
      case .initial(let values):
        rows = values
        made.reported += values.count
      case .update(let values, let deletions, let insertions, let modifications):
        made.reported += insertions.count + modifications.count
        do {
          let next = try applied(rows, deletions: deletions, insertions: insertions, modifications: modifications) {
            values[$0]
          }
          if next != values { mistakes.append("values \(values), not \(next)") }
          rows = values
        } catch { mistakes.append("positions \(deletions) \(insertions) \(modifications) of \(rows.count) values") }
      case .error: mistakes.append("an error")
      }
    }
  }

  func check(_ realm: Realm) -> [String] {
    let now = results.values(as: TrackRow.self)
    made.byTest += now.count
    return mistakes + (rows == now ? [] : ["values \(rows), not \(now)"])
  }

  func end() { token?.invalidate() }
}
