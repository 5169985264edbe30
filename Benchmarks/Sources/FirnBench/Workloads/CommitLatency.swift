/// How long single commits take.
struct CommitLatency {
  private var latencies: [Double] = []

  mutating func measure(_ commit: () throws -> Void) rethrows {
    latencies.append(try nanoseconds(per: 1, commit))
  }

  mutating func measureSuspending(_ commit: () async throws -> Void) async rethrows {
    let start = ContinuousClock.now
    try await commit()
    latencies.append((ContinuousClock.now - start) / .nanoseconds(1))
  }

  mutating func add(_ other: CommitLatency) { latencies += other.latencies }

  /// What half of the commits stay below, with others beside it.
  func sampleOfHalf() -> Sample {
    let ascending = latencies.sorted()
    return Sample(
      value: Self.percentile(ascending, 0.5),
      asides: [
        .init(label: "99 %", value: Self.percentile(ascending, 0.99), unit: .nanoseconds),
        .init(label: "longest", value: ascending.last ?? 0, unit: .nanoseconds),
      ])
  }

  /// What 99 of 100 commits stay below, with others beside it.
  func sampleOf99Percent() -> Sample {
    let ascending = latencies.sorted()
    return Sample(
      value: Self.percentile(ascending, 0.99),
      asides: [
        .init(label: "half", value: Self.percentile(ascending, 0.5), unit: .nanoseconds),
        .init(label: "longest", value: ascending.last ?? 0, unit: .nanoseconds),
      ])
  }

  private static func percentile(_ ascending: [Double], _ share: Double) -> Double {
    ascending.isEmpty ? 0 : ascending[min(ascending.count - 1, Int(Double(ascending.count) * share))]
  }

  /// The longest, with others beside it.
  func sample(_ asides: [Sample.Aside] = []) -> Sample {
    let ascending = latencies.sorted()
    func percentile(_ share: Double) -> Double { Self.percentile(ascending, share) }
    return Sample(
      value: ascending.last ?? 0,
      asides: [
        .init(label: "half", value: percentile(0.5), unit: .nanoseconds),
        .init(label: "99 %", value: percentile(0.99), unit: .nanoseconds),
        .init(label: "99.9 %", value: percentile(0.999), unit: .nanoseconds),
        .init(
          label: "commits", value: Double(latencies.count) * 1e9 / max(1, latencies.reduce(0, +)), unit: .perSecond),
      ] + asides)
  }
}
