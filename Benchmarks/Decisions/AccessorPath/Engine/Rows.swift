import CAccessorPath

/// Slot word: leaf offset u16 | null mask offset u16 (links: offset of the wrapper's value) | column u16 | flags u16.
/// 0 = unmanaged, sign bit = frozen.
@usableFromInline package enum Row {
  @inlinable @inline(__always)
  package static func leaf(_ cluster: UnsafeRawPointer, _ slot: UInt64) -> UnsafeRawPointer {
    cluster.load(fromByteOffset: Int(slot & 0xffff), as: UnsafeRawPointer.self)
  }
  @inlinable @inline(__always)
  package static func int(_ leaf: UnsafeRawPointer, _ row: Int) -> Int {
    let base = leaf.load(fromByteOffset: 16, as: Int.self)
    let mask = leaf.load(fromByteOffset: 24, as: UInt64.self)
    let shift = leaf.load(fromByteOffset: 13, as: UInt8.self)
    let raw = leaf.loadUnaligned(fromByteOffset: 32 &+ (row &<< Int(shift)), as: UInt64.self)
    return base &+ Int(bitPattern: UInt(raw & mask))
  }
  @inlinable @inline(__always)
  package static func storeInt(_ leaf: UnsafeMutableRawPointer, _ row: Int, _ value: Int) -> Bool {
    let base = leaf.load(fromByteOffset: 16, as: Int.self)
    let mask = leaf.load(fromByteOffset: 24, as: UInt64.self)
    let raw = UInt64(bitPattern: Int64(value &- base))
    if _slowPath(raw & ~mask != 0) { return false }
    let shift = leaf.load(fromByteOffset: 13, as: UInt8.self)
    let p = leaf + (32 &+ (row &<< Int(shift)))
    switch shift {
    case 0: p.storeBytes(of: UInt8(truncatingIfNeeded: raw), as: UInt8.self)
    case 1: p.storeBytes(of: UInt16(truncatingIfNeeded: raw), as: UInt16.self)
    case 2: p.storeBytes(of: UInt32(truncatingIfNeeded: raw), as: UInt32.self)
    default: p.storeBytes(of: raw, as: UInt64.self)
    }
    return true
  }
  @inlinable @inline(__always)
  package static func bit(_ cluster: UnsafeRawPointer, _ offset: Int, _ row: Int) -> Bool {
    cluster.load(fromByteOffset: offset &+ (row &>> 6) &<< 3, as: UInt64.self) &>> UInt64(row & 63) & 1 != 0
  }
  @inlinable @inline(__always)
  package static func double(_ leaf: UnsafeRawPointer, _ row: Int) -> Double {
    leaf.load(fromByteOffset: 16 &+ row &<< 3, as: Double.self)
  }
  @inlinable @inline(__always)
  package static func string(_ leaf: UnsafeRawPointer, _ row: Int) -> String {
    // u16 ends only on the inlined path: ends start at 32, a zero end precedes them at 30
    if _slowPath(leaf.load(fromByteOffset: 13, as: UInt8.self) != 1) { return wideString(leaf, row) }
    let end = Int(leaf.load(fromByteOffset: 32 &+ row &<< 1, as: UInt16.self))
    let start = Int(leaf.load(fromByteOffset: 30 &+ row &<< 1, as: UInt16.self))
    let bytes = leaf + (32 &+ Int(leaf.load(fromByteOffset: 16, as: UInt16.self)) &<< 1 &+ start)
    let count = end &- start
    if _fastPath(count <= 15) { return smallString(bytes, count) }
    return longString(bytes, count)
  }
  @inlinable @inline(__always)
  package static func smallString(_ bytes: UnsafeRawPointer, _ count: Int) -> String {
    // 16 bytes are always readable (64 bytes of slack); keep the low `count` of them
    let lo = bytes.loadUnaligned(as: UInt64.self)
    let hi = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let loBits = count >= 8 ? UInt64.max : (1 &<< UInt64(count &<< 3)) &- 1
    let hiBits = count <= 8 ? 0 : (1 &<< UInt64((count &- 8) &<< 3)) &- 1
    let l = lo & loBits
    let h = hi & hiBits
    let ascii: UInt64 = (l | h) & 0x8080_8080_8080_8080 == 0 ? 0xE0 : 0xA0
    return unsafeBitCast((l, h | (ascii | UInt64(count)) &<< 56), to: String.self)
  }
  @usableFromInline @inline(never)
  package static func longString(_ bytes: UnsafeRawPointer, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
  @usableFromInline @inline(never)
  package static func wideString(_ leaf: UnsafeRawPointer, _ row: Int) -> String { fatalError("not in the prototype") }

  @inlinable @inline(__always)
  package static func cluster(_ root: UnsafeRawPointer, _ key: UInt64) -> UnsafeRawPointer {
    // root: depth u64, then 64 children at 8
    var node = root
    var shift = node.load(as: UInt64.self)
    while true {
      node = node.load(fromByteOffset: 8 &+ Int(key &>> shift & 63) &<< 3, as: UnsafeRawPointer.self)
      if shift == 8 { return node }
      shift &-= 6
    }
  }
}

package func makeBlock(_ size: Int, birth: UInt64, kind: UInt8, shift: UInt8) -> UnsafeMutableRawPointer {
  let p = firn_bump(UInt(size + 64))!
  p.initializeMemory(as: UInt8.self, repeating: 0, count: size + 64)
  p.storeBytes(of: birth, as: UInt64.self)
  p.storeBytes(of: UInt32(size), toByteOffset: 8, as: UInt32.self)
  p.storeBytes(of: kind, toByteOffset: 12, as: UInt8.self)
  p.storeBytes(of: shift, toByteOffset: 13, as: UInt8.self)
  return p
}

/// id@80 age@88 score@96 name@104 city@112 opt@120 (mask 192) best@128 active bits@160
package func buildTable(rows: Int, best: (Int) -> Int) -> UnsafeMutableRawPointer {
  func inner(_ shift: UInt64) -> UnsafeMutableRawPointer {
    let p = makeBlock(8 + 512, birth: 1, kind: 9, shift: 0)
    p.storeBytes(of: shift, as: UInt64.self)
    return p
  }
  let root = inner(14)
  var node = root
  var cluster = root
  func ints(_ shift: UInt8) -> UnsafeMutableRawPointer {
    let l = makeBlock(32 + 256 << Int(shift) + 8, birth: 1, kind: 1, shift: shift)
    l.storeBytes(of: shift == 3 ? UInt64.max : (1 << (8 << UInt64(shift))) - 1, toByteOffset: 24, as: UInt64.self)
    return l
  }
  func strings(_ base: Int, _ text: (Int) -> String) -> UnsafeMutableRawPointer {
    var ends = [UInt16]()
    var bytes = [UInt8]()
    for k in 0..<256 {
      bytes += Array(text(base + k).utf8)
      ends.append(UInt16(bytes.count))
    }
    let l = makeBlock(32 + 512 + bytes.count + 64, birth: 1, kind: 3, shift: 1)
    l.storeBytes(of: 256, toByteOffset: 16, as: UInt16.self)
    for (i, e) in ends.enumerated() { l.storeBytes(of: e, toByteOffset: 32 + 2 * i, as: UInt16.self) }
    for (i, b) in bytes.enumerated() { l.storeBytes(of: b, toByteOffset: 544 + i, as: UInt8.self) }
    return l
  }
  for r in 0..<rows {
    if r & 16383 == 0 {
      node = inner(8)
      root.storeBytes(of: node, toByteOffset: 8 + (r >> 14) * 8, as: UnsafeMutableRawPointer.self)
    }
    if r & 255 == 0 {
      cluster = makeBlock(224, birth: 1, kind: 8, shift: 0)
      node.storeBytes(of: cluster, toByteOffset: 8 + (r >> 8 & 63) * 8, as: UnsafeMutableRawPointer.self)
      cluster.storeBytes(of: UInt64(r), toByteOffset: 16, as: UInt64.self)
      let dirty = makeBlock(32 * 16, birth: 1, kind: 10, shift: 0)
      cluster.storeBytes(of: dirty, toByteOffset: 32, as: UnsafeMutableRawPointer.self)
      for (o, l) in [
        (80, ints(3)), (88, ints(0)), (96, makeBlock(16 + 2048 + 32, birth: 1, kind: 2, shift: 8)),
        (104, strings(r) { "name\($0)" }), (112, strings(r) { "a longer city name \($0)" }),
        (120, ints(1)), (128, ints(2)),
      ] {
        cluster.storeBytes(of: l, toByteOffset: o, as: UnsafeMutableRawPointer.self)
      }
    }
    let k = r & 255
    func leaf(_ o: Int) -> UnsafeMutableRawPointer { cluster.load(fromByteOffset: o, as: UnsafeMutableRawPointer.self) }
    func set(_ o: Int) {
      let p = cluster + o + (k >> 6) << 3
      p.storeBytes(of: p.load(as: UInt64.self) | 1 << UInt64(k & 63), as: UInt64.self)
    }
    set(48)
    _ = Row.storeInt(leaf(80), k, r)
    _ = Row.storeInt(leaf(88), k, r % 100)
    leaf(96).storeBytes(of: Double(r) / 2, toByteOffset: 16 + 8 * k, as: Double.self)
    _ = Row.storeInt(leaf(120), k, r % 1000)
    _ = Row.storeInt(leaf(128), k, best(r) + 1)
    if r & 1 == 0 { set(160) }
    if r % 3 == 0 { set(192) }
  }
  return root
}

/// owner @0, epoch @8, writeVersion @16, root @24, lock @64
package func makeContext(owner: UInt64, root: UnsafeRawPointer) -> UnsafeMutableRawPointer {
  let c = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
  c.initializeMemory(as: UInt64.self, repeating: 0, count: 16)
  c.storeBytes(of: owner, as: UInt64.self)
  c.storeBytes(of: 1, toByteOffset: 8, as: UInt64.self)
  c.storeBytes(of: .max, toByteOffset: 16, as: UInt64.self)
  c.storeBytes(of: root, toByteOffset: 24, as: UnsafeRawPointer.self)
  return c
}
