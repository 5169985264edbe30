import DeparturePlan
import Testing

@Suite struct CSVTableTests {
  private func table(_ text: String) throws -> CSVTable {
    try CSVTable(text.utf8, file: "test.csv")
  }

  private func message(_ text: String, _ read: (CSVTable) throws -> Void = { _ in }) -> String? {
    do {
      try read(table(text))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func readsPlainAndQuotedFields() throws {
    let rows = try table("a,b\n1,\"x, \"\"y\"\"\nz\"\n\n,last").rows
    #expect(rows.count == 2)
    #expect(try rows[0].integer("a", in: 0...9) == 1)
    #expect(try rows[0].text("b") == "x, \"y\"\nz")
    #expect(try rows[1].optionalText("a") == nil)
    #expect(try rows[1].text("b") == "last")
  }

  @Test(arguments: ["a,b\r\n1,2\r\n", "\u{FEFF}a,b\n1,2", "a,b\n\n1,2\n\n\n", "\"a\",\"b\"\r\n\"1\",\"2\""])
  func readsEveryLineEnd(text: String) throws {
    let rows = try table(text).rows
    #expect(rows.count == 1)
    #expect(try rows.first?.text("a") == "1")
    #expect(try rows.first?.text("b") == "2")
  }

  @Test func keepsALoneCarriageReturnAndATrailingEmptyField() throws {
    let rows = try table("a,b\nx\ry,\n").rows
    #expect(try rows[0].text("a") == "x\ry")
    #expect(try rows[0].optionalText("b") == nil)
  }

  @Test(arguments: [
    ("", "test.csv, line 1: expected a header with field names, found an empty file"),
    ("a,a\n", "test.csv, line 1, field a: expected each field once, found it twice"),
    ("a,b\n1,2\n3\n", "test.csv, line 3: expected 2 fields as in the header, found 1"),
    ("a,b\n1,2,3\n", "test.csv, line 2: expected 2 fields as in the header, found 3"),
    ("a\n\"x\ny\"z\n", "test.csv, line 3: expected a comma or a line end after the closing quote"),
    ("a\nx\n\"y\n\n", "test.csv, line 3: expected a closing quote, found the end of the file"),
    ("a\nx\"y\"\n", "test.csv, line 2: expected quotes around a whole field, found one inside it"),
  ])
  func namesLineAndExpectation(text: String, expected: String) {
    #expect(message(text) == expected)
  }

  @Test func refusesOtherEncodings() {
    #expect(throws: DataError(file: "latin.csv", line: 2, problem: "expected UTF-8, found other bytes")) {
      try CSVTable(Array("a\n".utf8) + [0xE9, 0x0A], file: "latin.csv")
    }
  }

  @Test func namesFieldAndExpectation() {
    let text = "count,time\n1,2013-07-10T09:15Z\nx,\n"
    #expect(
      message(text) { _ = try $0.rows[1].integer("count", in: 1...5) }
        == "test.csv, line 3, field count: expected a whole number from 1 to 5, found \"x\"")
    #expect(
      message(text) { _ = try $0.rows[1].minute("time") }
        == "test.csv, line 3, field time: expected a UTC time such as 2013-07-10T09:15Z, found nothing")
    #expect(
      message(text) { _ = try $0.rows[0].text("name") }
        == "test.csv, line 1, field name: expected it in the header, found only count, time")
  }
}
