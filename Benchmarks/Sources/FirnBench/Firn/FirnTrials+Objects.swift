import Firn

extension FirnTrials {
  private static func numberList() throws -> (Realm, NumberList) {
    let realm = try FirnFixture().realm
    let bag = NumberList()
    try realm.write { realm.add(bag) }
    return (realm, bag)
  }

  static func createFromDictionary(_ stage: Stage) -> Trial {
    let count = stage.dataset.count
    return {
      let realm = try FirnFixture().realm
      let values = (0..<count).map(Objects.values)
      let sample = try sample(per: count) {
        try realm.write {
          for value in values { realm.create(Member.self, value: value) }
        }
      }
      try expect(realm.objects(Member.self).count, count, "members")
      return sample
    }
  }

  static func appendToList(_ stage: Stage) -> Trial {
    let count = stage.dataset.count
    return {
      let (realm, owner) = try numberList()
      let sample = try sample(per: count) {
        try realm.write {
          let numbers = owner.numbers
          for number in 0..<count { numbers.append(number) }
        }
      }
      try expect(owner.numbers.count, count, "elements of the list")
      return sample
    }
  }

  static func changeMiddleOfList(_ stage: Stage) throws -> Trial {
    let count = stage.dataset.count
    let (realm, owner) = try numberList()
    try realm.write { owner.numbers.append(objectsIn: 0..<count) }
    return {
      try sample(per: 2 * Objects.changeCount) {
        try realm.write {
          let numbers = owner.numbers
          for number in 0..<Objects.changeCount { numbers.insert(number, at: count / 2) }
          for _ in 0..<Objects.changeCount { numbers.remove(at: count / 2) }
        }
      }
    }
  }

  static func iterateList(_ stage: Stage) throws -> Trial {
    let count = stage.dataset.count
    let (realm, owner) = try numberList()
    try realm.write { owner.numbers.append(objectsIn: 0..<count) }
    return {
      defer { withExtendedLifetime(realm) {} }
      return sample(per: count) {
        var sum = 0
        for number in owner.numbers { sum &+= number }
        blackHole(sum)
      }
    }
  }

  static func fanIn(_ stage: Stage) -> Trial {
    return {
      let realm = try FirnFixture().realm
      let hub = Hub()
      let sample = try sample(per: Objects.spokeCount) {
        try realm.write {
          realm.add(hub)
          for _ in 0..<Objects.spokeCount {
            let spoke = Spoke()
            spoke.hub = hub
            realm.add(spoke)
          }
        }
      }
      try expect(hub.spokes.count, Objects.spokeCount, "links to the hub")
      return sample
    }
  }

  static func cutFanIn(_ stage: Stage) -> Trial {
    let order = Objects.shuffled(Objects.spokeCount)
    return {
      let realm = try FirnFixture().realm
      let hub = Hub()
      var spokes: [Spoke] = []
      try realm.write {
        realm.add(hub)
        for _ in 0..<Objects.spokeCount {
          let spoke = Spoke()
          spoke.hub = hub
          realm.add(spoke)
          spokes.append(spoke)
        }
      }
      let sample = try sample(per: order.count) {
        try realm.write {
          for index in order { spokes[index].hub = nil }
        }
      }
      try expect(hub.spokes.count, 0, "links to the hub")
      return sample
    }
  }
}
