import Firn

extension FirnTrials {
  static func observeGroups(_ aggregates: GroupedUpdates, _ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let persons = fixture.persons(withIDs: stage.dataset.distinctIDs(atMost: GroupedUpdates.personCountMax))
    let all = realm.objects(Person.self)
    var round = 0
    func commits() throws {
      for (index, person) in persons.enumerated() {
        try realm.write { person.score = GroupedUpdates.score(index + round) }
      }
      round += 1
      try realm.write {}
    }
    func observe(_ body: @escaping () -> Void) -> NotificationToken {
      switch aggregates {
      case .sums:
        all.grouped(by: \.city) { ($0.sum(of: \.score), $0.average(of: \.score)) }.observe { _ in body() }
      case .extremes:
        all.grouped(by: \.city) {
          ($0.sum(of: \.score), $0.average(of: \.score), $0.min(of: \.score), $0.max(of: \.score))
        }.observe { _ in body() }
      }
    }
    return {
      var built = 0.0
      var sample = try ObservedUpdates.added(per: persons.count, commits) { run in
        var deliveryCount = 0
        let token = observe { deliveryCount += 1 }
        built = try processorNanoseconds(per: 1) {
          try realm.write {}
          try realm.write {}
        }
        try run()
        token.invalidate()
        try expect(deliveryCount, persons.count + 1, "deliveries to the observer of groups in Firn")
      }
      sample.asides.append(.init(label: "first build", value: built, unit: .nanoseconds))
      return sample
    }
  }
}
