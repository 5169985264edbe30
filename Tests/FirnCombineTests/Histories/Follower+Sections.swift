import Firn
import FirnCombine

extension Follower {
  /// What sections have: a row for each section's key, and one for each element.
  static func rows(_ sections: SectionedResults<Int, Person>) -> [String] {
    sections.flatMap { section in ["# \(section.key)"] + section.map { "\($0.id) \($0.age) \($0.name)" } }
  }

  func take(_ change: SectionedResultsChange<SectionedResults<Int, Person>>) {
    let sections: SectionedResults<Int, Person>
    switch change {
    case .initial(let all):
      sections = all
      move(to: Self.rows(all), isInitial: true)
    case .update(let all, let deletions, let insertions, let modifications, let inserted, let deleted):
      sections = all
      let new = Self.rows(all)
      var told = Self.split(rows)
      for path in modifications { told[path.section][path.item + 1] = nil }
      for path in deletions.sorted().reversed() { told[path.section].remove(at: path.item + 1) }
      for section in deleted.reversed() { told.remove(at: section) }
      for section in inserted { told.insert([nil], at: section) }
      for path in insertions.sorted() { told[path.section].insert(nil, at: path.item + 1) }
      let flat = told.joined().enumerated().map { $1 ?? (new.indices.contains($0) ? new[$0] : "outside") }
      if flat != new { fail("-\(deletions) +\(insertions) ~\(modifications) makes \(flat), and there is \(new)") }
      move(to: new, isInitial: false)
    }
    kept = keeps ? sections : nil
    onArrival(sections.realm)
  }

  private static func split(_ rows: [String]) -> [[String?]] {
    rows.reduce(into: []) { sections, row in
      if row.hasPrefix("#") { sections.append([row]) } else { sections[sections.count - 1].append(row) }
    }
  }
}
