/// A workload at one size, measured.
struct Line {
  let workload: Workload
  let size: Int
  let samples: [Engine: [Sample]]

  func median(_ engine: Engine) -> Double? {
    samples[engine].flatMap { $0.map(\.value).median }
  }

  /// Firn ÷ plain Swift.
  var ratio: Double? {
    guard let firn = median(.firn), let plain = median(.plain), plain > 0 else { return nil }
    return firn / plain
  }

  var isMet: Bool? {
    workload.target.isMet(firn: median(.firn), plain: median(.plain), asides: asides(.firn))
  }

  /// What the passes of an engine reported beside the figure, as medians.
  func asides(_ engine: Engine) -> [Sample.Aside] {
    guard let samples = samples[engine], let first = samples.first else { return [] }
    return first.asides.map { aside in
      let values = samples.flatMap(\.asides).filter { $0.label == aside.label }.map(\.value)
      return Sample.Aside(label: aside.label, value: values.median ?? aside.value, unit: aside.unit)
    }
  }
}

extension [Double] {
  /// Nil if there is none.
  fileprivate var median: Double? {
    guard !isEmpty else { return nil }
    let ascending = sorted()
    let middle = count / 2
    return count % 2 == 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2
  }
}
