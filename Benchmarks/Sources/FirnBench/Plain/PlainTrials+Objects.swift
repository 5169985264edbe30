extension PlainTrials {
  private final class PlainMember {
    let id: Int
    let name: String
    let score: Double
    let isActive: Bool

    init?(_ values: [String: Any]) {
      guard let id = values["id"] as? Int, let name = values["name"] as? String,
        let score = values["score"] as? Double, let isActive = values["isActive"] as? Bool
      else { return nil }
      self.id = id
      self.name = name
      self.score = score
      self.isActive = isActive
    }
  }

  private final class PlainHub {
    var list: [PlainSpoke] = []
    var set: Set<ObjectIdentifier> = []
  }

  private final class PlainSpoke {
    var hub: PlainHub?
  }

  static func createFromDictionary(_ stage: Stage) -> Trial {
    let count = stage.dataset.count
    return {
      let values = (0..<count).map(Objects.values)
      var members: [Int: PlainMember] = [:]
      let sample = sample(per: count) {
        for value in values {
          if let member = PlainMember(value) { members[member.id] = member }
        }
      }
      try expect(members.count, count, "members")
      return sample
    }
  }

  static func appendToList(_ stage: Stage) -> Trial {
    let count = stage.dataset.count
    return {
      var numbers: [Int] = []
      let sample = sample(per: count) {
        for number in 0..<count { numbers.append(number) }
      }
      try expect(numbers.count, count, "elements of the array")
      return sample
    }
  }

  static func changeMiddleOfList(_ stage: Stage) -> Trial {
    let count = stage.dataset.count
    var numbers = Array(0..<count)
    return {
      sample(per: 2 * Objects.plainChangeCount) {
        for number in 0..<Objects.plainChangeCount { numbers.insert(number, at: count / 2) }
        for _ in 0..<Objects.plainChangeCount { numbers.remove(at: count / 2) }
      }
    }
  }

  static func iterateList(_ stage: Stage) -> Trial {
    let numbers = Array(0..<stage.dataset.count)
    return {
      sample(per: numbers.count) {
        var sum = 0
        for number in numbers { sum &+= number }
        blackHole(sum)
      }
    }
  }

  static func fanIn(_ stage: Stage) -> Trial {
    return {
      let hub = PlainHub()
      let sample = sample(per: Objects.spokeCount) {
        for _ in 0..<Objects.spokeCount {
          let spoke = PlainSpoke()
          spoke.hub = hub
          hub.list.append(spoke)
        }
      }
      try expect(hub.list.count, Objects.spokeCount, "links to the hub")
      for spoke in hub.list { spoke.hub = nil }
      return sample
    }
  }

  static func cutFanIn(_ stage: Stage) -> Trial {
    let order = Objects.shuffled(Objects.spokeCount)
    return {
      let hub = PlainHub()
      let spokes = order.map { _ in PlainSpoke() }
      for spoke in spokes {
        spoke.hub = hub
        hub.set.insert(ObjectIdentifier(spoke))
      }
      let sample = sample(per: order.count) {
        for index in order {
          spokes[index].hub = nil
          hub.set.remove(ObjectIdentifier(spokes[index]))
        }
      }
      try expect(hub.set.count, 0, "links to the hub")
      return sample
    }
  }
}
