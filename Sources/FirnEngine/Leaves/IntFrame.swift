/// The width and base of an `IntLeaf`: which integers it can hold.
struct IntFrame {
  var base: Int64
  /// Logarithm of the width in bytes.
  var shift: Int

  var drop: UInt64 { UInt64(truncatingIfNeeded: 64 &- 8 &<< shift) }
  var storedMax: UInt64 { UInt64.max &>> drop }

  /// The narrowest frame around a range of values, with headroom so that the next values rarely need another one.
  ///
  /// Small non-negative numbers get base 0. Else most of the headroom lies on the side where the values went last; a frame with
  /// less than an eighth of its range free is not worth its copy and the next width is taken.
  init(least: Int64, greatest: Int64, growsDown: Bool) {
    let span = UInt64(bitPattern: greatest &- least)
    var shift = 0
    while shift < 3 {
      let storedMax = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &<< shift)
      if least >= 0 && UInt64(greatest) <= storedMax {
        self.init(base: 0, shift: shift)
        return
      }
      if span <= storedMax && storedMax &- span >= storedMax / 8 {
        let slack = Int64(storedMax &- span)
        let below = growsDown ? slack &- slack / 8 : slack / 8
        let base = least < Int64.min &+ below ? Int64.min : least &- below
        self.init(base: min(base, Int64.max &- Int64(storedMax)), shift: shift)
        return
      }
      shift &+= 1
    }
    self.init(base: 0, shift: 3)
  }

  init(base: Int64, shift: Int) {
    self.base = base
    self.shift = shift
  }

  init(of leaf: UnsafeRawPointer) {
    self.init(base: IntLeaf.base(leaf), shift: Int(leaf.blockShift))
  }

  @inline(__always)
  func holds(_ value: Int64) -> Bool {
    shift == 3 || (value >= base && UInt64(bitPattern: value &- base) <= storedMax)
  }

  /// Writes a value that the frame holds; of one that it does not hold, some bits.
  @inline(__always)
  func store(_ value: Int64, in leaf: Block, _ slot: Int) {
    let place = leaf + (IntLeaf.valuesOffset &+ slot &<< shift)
    let stored = UInt64(bitPattern: value &- base)
    switch shift {
    case 0: place.storeBytes(of: UInt8(truncatingIfNeeded: stored), as: UInt8.self)
    case 1: place.storeBytes(of: UInt16(truncatingIfNeeded: stored), as: UInt16.self)
    case 2: place.storeBytes(of: UInt32(truncatingIfNeeded: stored), as: UInt32.self)
    default: place.storeBytes(of: stored, as: UInt64.self)
    }
  }
}
