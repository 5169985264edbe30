/// The cost of reading one input.
struct FuzzCost: CustomStringConvertible {
  /// Bytes that were read, and that the content took which they were read into.
  var byteCount = 0
  /// Bytes that were asked for.
  var claimed = 0
  /// 0 where steps are not counted.
  var steps = 0

  var description: String { "\(steps) steps and \(claimed) bytes for \(byteCount)" }

  /// No input costs more steps than this for each byte that it has or was given, besides what every input costs.
  static var stepsPerByteMax: Int { 64 }
  static var stepsMax: Int { 200_000 }

  /// The steps for each byte, without those that every input costs.
  var stepsPerByte: Double { Double(max(0, steps - Self.stepsMax)) / Double(byteCount + claimed + 1) }

  var isTooMuch: Bool { steps > Self.stepsPerByteMax * (byteCount + claimed) + Self.stepsMax }
}
