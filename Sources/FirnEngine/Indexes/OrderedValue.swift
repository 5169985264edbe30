/// One value of a tuple that an ordered index orders rows by, in the form in which it is compared.
///
/// Plain data: bytes stay where they are, so a value is good as long as the row or the constant that it was read from.
struct OrderedValue {
  enum Rank: UInt8 {
    /// Comes first.
    case null
    case notANumber
    case value
    /// Behind a null link. Comes last.
    case missing
  }

  var rank: Rank
  /// Bools, ints, links, floating-point numbers and dates, as a number that has their order.
  var number: UInt64 = 0
  /// Strings, data, ids, decimals and mixed values.
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ rank: Rank) { self.rank = rank }

  init(number: UInt64) {
    rank = .value
    self.number = number
  }

  init(bytes: UnsafeRawBufferPointer) {
    rank = .value
    self.bytes = bytes
  }

  /// A cell of places: above the numbers that stand for null and NaN in an `OrderedCode`.
  init(cell: UInt64) { self.init(number: cell &+ 2) }

  /// The cell that an entry of an index of places lies in.
  @inline(__always)
  static func cell(ofCode code: UInt64) -> UInt64 { code &- 2 }

  init(_ int: Int64) { self.init(number: UInt64(bitPattern: int) ^ 1 &<< 63) }

  /// NaN is one value; the zeros are one.
  init(_ double: Double) {
    if double.isNaN {
      self.init(.notANumber)
    } else {
      let bits = double == 0 ? 0 : double.bitPattern
      self.init(number: bits >> 63 != 0 ? ~bits : bits | 1 << 63)
    }
  }

  /// The signed number that `init(_: Int64)` was given.
  var int: Int64 { Int64(bitPattern: number ^ 1 &<< 63) }

  /// Reads the column at the end of a path from a row.
  @inline(__always)
  init(_ path: UnsafePointer<ResolvedPath>, _ row: RowLocation, _ contents: GraphContents) {
    if path.pointee.linkCount == 0 {
      self.init(path, of: row, contents)
    } else if let end = path.pointee.follow(row.cluster, row.slot, contents) {
      self.init(path, of: end, contents)
    } else {
      self.init(.missing)
    }
  }

  @inline(__always)
  private init(_ path: UnsafePointer<ResolvedPath>, of row: RowLocation, _ contents: GraphContents) {
    let offset = Int(path.pointee.column.offset)
    let nullOffset = Int(path.pointee.column.nullOffset)
    if nullOffset != 0, Cluster.bit(row.cluster, nullOffset, row.slot) {
      self.init(.null)
      return
    }
    switch path.pointee.column.storage {
    case .bits: self.init(number: Cluster.bit(row.cluster, offset, row.slot) ? 1 : 0)
    case .int: self.init(IntLeaf.value(Cluster.leaf(row.cluster, at: offset), row.slot))
    case .link:
      let target = IntLeaf.value(Cluster.leaf(row.cluster, at: offset), row.slot)
      if target == 0 { self.init(.null) } else { self.init(target) }
    case .interned:
      let entry = IntLeaf.value(Cluster.leaf(row.cluster, at: offset), row.slot)
      if entry == 0 {
        self.init(.null)
      } else {
        self.init(bytes: contents.internedBytes(entry, in: Int(path.pointee.column.target)))
      }
    case .bytes: self.init(bytes: BytesLeaf.bytes(Cluster.leaf(row.cluster, at: offset), row.slot))
    case .fixed: self.init(fixed: Cluster.leaf(row.cluster, at: offset), row.slot, path.pointee.column.type)
    case .list, .set, .map: fatalError("Collections have no place in an order.")
    }
  }

  @inline(__always)
  private init(fixed leaf: UnsafeRawPointer, _ slot: Int, _ type: ColumnType) {
    switch type {
    case .double, .date: self.init(FixedLeaf.load(leaf, slot, as: Double.self))
    case .float: self.init(Double(FixedLeaf.load(leaf, slot, as: Float.self)))
    default:
      self.init(
        bytes: UnsafeRawBufferPointer(start: FixedLeaf.address(leaf, slot), count: Int(leaf.blockShift)))
    }
  }

  /// Negative, zero or positive as the value comes before, with or after another of a column of the same type.
  @inline(__always)
  func order(to other: OrderedValue, _ type: ColumnType) -> Int {
    if rank != other.rank { return rank.rawValue < other.rank.rawValue ? -1 : 1 }
    if rank != .value { return 0 }
    switch type {
    case .bool, .int, .link, .float, .double, .date:
      return number < other.number ? -1 : (number == other.number ? 0 : 1)
    case .string, .data, .objectID, .uuid: return compareBytes(bytes, other.bytes)
    case .decimal128: return DecimalFloat(decimal).order(to: DecimalFloat(other.decimal))
    case .mixed: return MixedBytes.value(bytes).order(to: MixedBytes.value(other.bytes))
    }
  }

  private var decimal: Bytes16 { bytes.loadUnaligned(as: Bytes16.self) }
}
