import FirnMapping
import Foundation
import Testing

@Suite struct ValueTests {
  @Test func kindsAndInitialisers() {
    #expect(Value().type == .null && Value(nil).type == .null && Value(Int32(1)).type == .integer32)
    #expect(Value(Int64(1)).type == .integer64 && Value(1.5).type == .float && Value("a").type == .text)
    #expect(Value(Data([1])).type == .BLOB && Value(42).type == .integer64 && Value(true) == Value(Int32(1)))
    let (column, row): (OneColumnValue, OneRowValue) = ([Value(1), Value(2)], [Value(1), Value("b")])
    #expect(column.map(\.intValue) == [1, 2] && row.map(\.type) == [.integer64, .text])
    let rows: MultiRowsValue = [[Value(1), Value("b")], [Value(2), Value("d")]]
    #expect(rows[row: 1, column: 1].stringValue == "d")
  }

  @Test func gettersConvert() {
    // value, int64, int32, double, text, bytes
    let table: [(Value, Int64, Int32, Double, String, String)] = [
      (Value(nil), 0, 0, 0, "", ""),
      (Value(Int32.min), -2_147_483_648, .min, -2_147_483_648, "-2147483648", "-2147483648"),
      (Value(Int64.max), .max, -1, 0x1p63, "9223372036854775807", "9223372036854775807"),
      (Value(Int64(1) << 32 | 7), 4_294_967_303, 7, 4_294_967_303, "4294967303", "4294967303"),
      (Value(2.75), 2, 2, 2.75, "2.75", "2.75"),
      (Value(-2.75), -2, -2, -2.75, "-2.75", "-2.75"),
      (Value(1e300), .max, .max, 1e300, "1e+300", "1e+300"),
      (Value(-Double.infinity), .min, .min, -.infinity, "-inf", "-inf"),
      (Value("12"), 12, 12, 12, "12", "12"),
      (Value("1.5"), 0, 0, 1.5, "1.5", "1.5"),
      (Value("x"), 0, 0, 0, "x", "x"),
      (Value(Data("34".utf8)), 34, 34, 34, "34", "34"),
    ]
    for (value, int64, int32, double, text, bytes) in table {
      #expect(value.int64Value == int64 && value.intValue == Int(int64) && value.int32Value == int32, "\(value)")
      #expect(
        value.doubleValue == double && value.stringValue == text && value.dataValue == Data(bytes.utf8), "\(value)")
    }
    #expect(
      Value(Double.nan).int64Value == 0 && Value(Double.nan).int32Value == 0 && Value(Double.nan).doubleValue.isNaN)
    let broken = Value(Data([0xFF, 0xFE]))
    #expect(broken.stringValue == "" && broken.int64Value == 0 && broken.dataValue.count == 2)
  }

  @Test func builtinTypes() throws {
    func roundTrip<T: ColumnEncodable & ColumnDecodable & Equatable>(_ values: T..., as type: ColumnType) {
      #expect(T.columnType == type)
      for value in values {
        #expect(value.archivedValue().type == type && T(with: value.archivedValue()) == value, "\(value)")
      }
    }
    roundTrip(true, false, as: .integer32)
    roundTrip(Int8.min, .max, as: .integer32)
    roundTrip(Int16.min, .max, as: .integer32)
    roundTrip(Int32.min, .max, as: .integer32)
    roundTrip(UInt8.min, .max, as: .integer32)
    roundTrip(UInt16.min, .max, as: .integer32)
    roundTrip(UInt32.min, .max, as: .integer32)
    roundTrip(Int.min, .max, as: .integer64)
    roundTrip(Int64.min, .max, as: .integer64)
    roundTrip(UInt.min, .max, as: .integer64)
    roundTrip(UInt64.min, .max, as: .integer64)
    roundTrip(Float.greatestFiniteMagnitude, -0.1, as: .float)
    roundTrip(Double.leastNonzeroMagnitude, .infinity, as: .float)
    roundTrip(Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.5), as: .float)
    roundTrip("", "ä\0b", String(repeating: "x", count: 1000), as: .text)
    roundTrip(Data(), Data([0, 255]), as: .BLOB)
    roundTrip([1, 2], [], Array(0..<10_000), as: .BLOB)
    roundTrip(Set(["a", "b"]), as: .BLOB)
    roundTrip(["b": 1, "a": 2], as: .BLOB)
    #expect(["b": 1, "a": 2].archivedValue().stringValue == #"{"a":2,"b":1}"#)
    #expect([Int](with: Value("nonsense")) == nil)
    #expect(Value(UInt32.max).int32Value == -1 && Value(UInt64.max).int64Value == -1, "unsigned integers by their bits")
    #expect(Value(Date(timeIntervalSince1970: 2.5)).doubleValue == 2.5 && Value(Float(0.5)).doubleValue == 0.5)
    #expect(Bool(with: Value(7)) == true && UInt8(with: Value(Int32(-1))) == 255 && Int(with: Value("x")) == 0)
  }

  /// Each half may be conformed to by itself.
  @Test func halves() {
    struct Written: ColumnEncodable {
      static var columnType: ColumnType { .text }
      func archivedValue() -> Value { Value("w") }
    }
    struct Read: ColumnDecodable {
      static var columnType: ColumnType { .integer32 }
      init?(with value: Value) { if value.int32Value != 1 { return nil } }
    }
    struct WrittenJSON: ColumnJSONEncodable { var a = 1 }
    struct ReadJSON: ColumnJSONDecodable { var a: Int }
    #expect(Value(Written()).stringValue == "w" && Read(with: Value(Int32(1))) != nil && Read(with: Value(nil)) == nil)
    #expect(Value(WrittenJSON()).stringValue == #"{"a":1}"# && ReadJSON(with: Value(#"{"a":5}"#))?.a == 5)
    #expect(WrittenJSON.columnType == .BLOB && ReadJSON.columnType == .BLOB)
  }
}
