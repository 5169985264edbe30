internal import FirnEngine
internal import Testing

/// What failed on a thread of its own, to be reported by the test that waits for the thread.
///
/// A thread that belongs to no task does not know its test, and the library would report its failures without one. They are
/// recorded once more where the thread is joined. The first report, as a known issue, stays.
final class ThreadIssues: Sendable {
  private let issues = Lock<[Issue]?>([])

  /// Runs what the thread does.
  func collect(_ body: () -> Void) {
    withKnownIssue("on a thread of its own", isIntermittent: true) {
      body()
    } matching: { issue in
      self.issues.withLock { issues in
        issues?.append(issue)
        // What a task of the thread finds after the thread was joined cannot be handed over any more.
        return issues != nil
      }
    }
  }

  /// Records what was collected, on the task or thread that has joined the thread.
  func handOver() {
    let issues: [Issue] = issues.withLock { issues in
      defer { issues = nil }
      return issues ?? []
    }
    for issue in issues {
      let (comment, place) = ("On a thread of its own: \(issue)" as Comment, issue.sourceLocation)
      if let place {
        Issue.record(comment, severity: issue.severity, sourceLocation: place)
      } else {
        Issue.record(comment, severity: issue.severity)
      }
    }
  }
}
