import DeparturePlan
import Testing

@Suite struct ReplayPlanTests {
  private let noon = Minute(sinceEpoch: 1_000_000)

  private func flight(_ outcome: FlightRecord.Outcome, scheduledDeparture: Minute? = nil) -> FlightRecord {
    let departure = scheduledDeparture ?? noon
    return FlightRecord(
      id: "XX1", carrier: "XX", number: 1, tailNumber: nil, origin: "JFK", destination: "BOS", distanceMiles: 187,
      scheduledDeparture: departure, scheduledArrival: departure + 60, outcome: outcome)
  }

  /// The events as minutes after noon and what happens then.
  private func timeline(_ flights: FlightRecord...) -> [String] {
    ReplayPlan(flights: flights).events.map { "\($0.time - noon) \($0.flight) \($0.change)" }
  }

  @Test func delayGrowsInStepsToItsFinalValue() {
    #expect(
      timeline(flight(.arrived(departure: noon + 40, arrival: noon + 95))) == [
        "-120 0 appears", "0 0 delayed(minutes: 15)", "15 0 delayed(minutes: 30)", "30 0 delayed(minutes: 40)",
        "40 0 departed(delayMinutes: 40)", "50 0 leavesBoard", "95 0 arrived",
      ])
  }

  @Test(arguments: [(15, 1), (14, 1), (16, 2), (30, 2), (1, 1), (0, 0), (-7, 0)])
  func postsOneStepPerQuarterHourBegun(delay: Int, steps: Int) {
    let plan = ReplayPlan(flights: [flight(.arrived(departure: noon + delay, arrival: noon + 90))])
    #expect(plan.events.count == 4 + steps)
    #expect(plan.events.contains { $0.change == .departed(delayMinutes: delay) && $0.time == noon + delay })
  }

  @Test func cancelledAtTheScheduledTime() {
    #expect(timeline(flight(.cancelled)) == ["-120 0 appears", "0 0 cancelled", "45 0 leavesBoard"])
  }

  @Test func divertedWhenItWouldHaveLanded() {
    #expect(
      timeline(flight(.diverted(departure: noon + 10))) == [
        "-120 0 appears", "0 0 delayed(minutes: 10)", "10 0 departed(delayMinutes: 10)", "20 0 leavesBoard",
        "70 0 diverted",
      ])
  }

  @Test func appearsBeforeItLeavesHoweverEarly() {
    #expect(
      timeline(flight(.arrived(departure: noon - 200, arrival: noon - 100))) == [
        "-200 0 appears", "-200 0 departed(delayMinutes: -200)", "-190 0 leavesBoard", "-100 0 arrived",
      ])
  }

  @Test func mergesFlightsInOrderOfTime() {
    let plan = ReplayPlan(flights: [flight(.cancelled), flight(.cancelled, scheduledDeparture: noon + 120)])
    #expect(plan.steps.map(\.events.count) == [1, 2, 1, 1, 1])
    #expect(plan.steps[1].events.map(\.change) == [.cancelled, .appears])
  }

  @Test func bringsTheWeatherSinceTheStepBefore() {
    let weather = [-300, -180, -119, -60, 0, 10].map { WeatherRecord(airport: "JFK", time: noon + $0) }
    let plan = ReplayPlan(flights: [flight(.cancelled)], weather: weather)
    #expect(plan.steps.map { $0.weather.map { $0.time - noon } } == [[-300, -180], [-119, -60, 0], [10]])
  }

  /// Replays the day that comes along and checks the life of every flight.
  @Test func replaysTheBundledDay() throws {
    let day = try FlightDay(directory: FlightDay.bundledDirectory)
    #expect([day.flights.count, day.airports.count, day.airlines.count, day.planes.count] == [1004, 88, 15, 609])
    #expect(day.weather.count == 72)
    #expect(day.origins == ["EWR", "JFK", "LGA"])
    let plan = ReplayPlan(day)
    #expect(plan.steps.flatMap(\.events) == plan.events)
    #expect(plan.steps.flatMap(\.weather) == day.weather)
    #expect(zip(plan.events, plan.events.dropFirst()).allSatisfy { $0.time <= $1.time })

    var lives = [[ReplayPlan.Change]](repeating: [], count: day.flights.count)
    for event in plan.events { lives[event.flight].append(event.change) }
    for (flight, life) in zip(day.flights, lives) {
      #expect(life.count { $0 == .leavesBoard } == 1, "\(flight.id)")
      #expect(life.first == .appears, "\(flight.id)")
      let delays = life.compactMap { if case .delayed(let minutes) = $0 { minutes } else { nil } }
      #expect(delays == delays.sorted(), "\(flight.id)")
      if case .departed(let delay)? = life.last(where: { if case .departed = $0 { true } else { false } }) {
        #expect(delays.last ?? 0 == max(delay, 0), "\(flight.id)")
      }
    }
    let ends = Dictionary(grouping: lives) { "\($0.last { $0 != .leavesBoard }!)" }.mapValues(\.count)
    #expect(ends == ["arrived": 846, "cancelled": 121, "diverted": 37])
  }
}
