import FirnEngine
import Testing

@Suite struct MixedBytesTests {
  private static let values: [Value] = [
    .bool(false), .bool(true), .int(0), .int(-1), .int(127), .int(128), .int(-128), .int(-129), .int(.max), .int(.min),
    .int(1 << 40), .float(1.5), .float(-.infinity), .double(-0.0), .double(.pi), .date(12.25), .string([]),
    .string(Array("grün".utf8)), .data([]), .data([0, 255, 128]), .objectID(Bytes12(1, 2, 3)),
    .uuid(Bytes16(low: 1, high: 2)), .decimal128(Bytes16(low: 3, high: 4)), .object(1, RowKey(0)),
    .object(.max, RowKey((1 << 40) - 2)), .list(RowKey(0)), .list(RowKey(256)), .map(RowKey(1 << 39)),
  ]

  @Test func valuesComeBackAndHaveOneForm() {
    var forms: Set<[UInt8]> = []
    for value in Self.values {
      let bytes = MixedBytes.withBytes(of: value) { Array($0) }
      #expect(forms.insert(bytes).inserted, "\(value)")
      bytes.withUnsafeBytes {
        #expect(MixedBytes.isValid($0), "\(value)")
        #expect(MixedBytes.value($0) == value, "\(value)")
      }
    }
    let small = MixedBytes.withBytes(of: .int(-1)) { Array($0) }
    #expect(small == [2, 255])
    #expect(MixedBytes.withBytes(of: .object(7, RowKey(0x0102))) { Array($0) } == [11, 7, 0, 0, 0, 2, 1])
  }

  @Test(arguments: [
    [], [0], [14], [255, 0], [1], [1, 2], [1, 0, 0], [2], [2, 0, 0], [2, 255, 255], [2, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [3, 0], [4, 0, 0, 0, 0], [5, 0], [6, 0xC0, 0x80], [6, 0xFF], [8, 0], [9, 0], [10], [11, 1, 0, 0, 0],
    [11, 1, 0, 0, 0, 1, 0], [11, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6], [12], [12, 1, 0], [13, 1, 2, 3, 4, 5, 6],
  ])
  func otherFormsAreRefused(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { #expect(!MixedBytes.isValid($0), "\(bytes)") }
  }

  @Test func theOrderGoesByKindThenValue() {
    let ordered: [Value] = [
      .null, .bool(false), .bool(true), .double(.nan), .double(-.infinity), .int(-3), .double(-2.5), .int(1),
      .float(1.5),
      .int(2), .double(1e300), .string([]), .string([97]), .string([195]), .data([0]), .date(-1), .date(5),
      .objectID(Bytes12(0, 0, 1)), .uuid(Bytes16(low: 0, high: 1)), .object(1, RowKey(9)), .object(2, RowKey(3)),
      .list(RowKey(1)), .map(RowKey(0)),
    ]
    for left in ordered.indices {
      for right in ordered.indices {
        let order = ordered[left].order(to: ordered[right])
        #expect(order.signum() == (left - right).signum(), "\(ordered[left]) and \(ordered[right])")
        // Codes never contradict the order.
        let codes = (SortCode(mixed: ordered[left]), SortCode(mixed: ordered[right]))
        if left < right { #expect(codes.0 <= codes.1) }
      }
    }
    #expect(Value.int(1).order(to: .double(1)) == 0)
    #expect(Value.list(RowKey(1)).order(to: .list(RowKey(2))) == 0)
  }
}
