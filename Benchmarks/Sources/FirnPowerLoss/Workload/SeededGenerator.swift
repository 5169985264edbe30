/// SplitMix64: the same seed makes the same choices.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator of its own for each pair.
  init(_ seed: UInt64, _ number: Int) {
    state = seed
    state = next() &+ UInt64(bitPattern: Int64(number))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func chance(_ probability: Double) -> Bool { Double(next() >> 11) / 9_007_199_254_740_992 < probability }
}
