/// The position of each class in a list of classes.
///
/// A hash table over the addresses of the classes, which is asked for every object that is looked up or added: a
/// dictionary would hash with a strength that nobody needs here.
struct ClassIndexes: Sendable {
  private struct Entry {
    var type: UInt
    var index: Int
  }

  /// A power of two, at most half full; type 0 is free.
  private let entries: [Entry]

  init(_ types: [ObjectBase.Type]) {
    var size = 4
    while size < 2 * types.count { size *= 2 }
    var entries = Array(repeating: Entry(type: 0, index: 0), count: size)
    for (index, type) in types.enumerated() {
      let address = Self.address(type)
      var place = Self.home(address) & (size - 1)
      while entries[place].type != 0 { place = (place + 1) & (size - 1) }
      entries[place] = Entry(type: address, index: index)
    }
    self.entries = entries
  }

  subscript(type: ObjectBase.Type) -> Int? {
    let address = Self.address(type)
    let mask = entries.count &- 1
    var place = Self.home(address) & mask
    while true {
      let entry = entries[place]
      if entry.type == address { return entry.index }
      if entry.type == 0 { return nil }
      place = (place &+ 1) & mask
    }
  }

  @inline(__always)
  private static func address(_ type: ObjectBase.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }

  @inline(__always)
  private static func home(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) &>> 40)
  }
}
