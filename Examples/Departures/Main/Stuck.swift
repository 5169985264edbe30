/// Something that should take milliseconds took ten seconds.
struct Stuck: Error, CustomStringConvertible {
  let problem: String

  var description: String { "\(problem) within ten seconds" }
}
