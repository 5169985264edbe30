/// One record of a CSV file. Reading a field checks it; the error names file, line, field and expectation.
package struct CSVRow {
  let file: String
  let line: Int
  let positions: [String: Int]
  let fields: [String]

  /// An error about this row, for checks that need more than one field.
  package func error(_ field: String, _ problem: String) -> DataError {
    DataError(file: file, line: line, field: field, problem: problem)
  }

  package func optionalText(_ field: String) throws -> String? {
    guard let position = positions[field] else {
      let names = positions.sorted { $0.value < $1.value }.map(\.key).joined(separator: ", ")
      throw DataError(file: file, line: 1, field: field, problem: "expected it in the header, found only \(names)")
    }
    return fields[position].isEmpty ? nil : fields[position]
  }

  package func text(_ field: String) throws -> String {
    try required(field, "a text", optionalText(field))
  }

  package func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws -> Int? {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return try parsed(field, expectation) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  package func integer(_ field: String, in range: ClosedRange<Int>) throws -> Int {
    try required(field, "a whole number", optionalInteger(field, in: range))
  }

  package func optionalNumber(_ field: String, in range: ClosedRange<Double>) throws -> Double? {
    let expectation = "a number from \(range.lowerBound) to \(range.upperBound)"
    return try parsed(field, expectation) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  package func number(_ field: String, in range: ClosedRange<Double>) throws -> Double {
    let expectation = "a number from \(range.lowerBound) to \(range.upperBound)"
    return try required(field, expectation, optionalNumber(field, in: range))
  }

  package func optionalMinute(_ field: String) throws -> Minute? {
    try parsed(field, "a UTC time such as 2013-07-10T09:15Z") { Minute($0) }
  }

  package func minute(_ field: String) throws -> Minute {
    try required(field, "a UTC time such as 2013-07-10T09:15Z", optionalMinute(field))
  }

  private func parsed<Value>(_ field: String, _ expectation: String, _ parse: (String) -> Value?) throws -> Value? {
    guard let text = try optionalText(field) else { return nil }
    guard let value = parse(text) else { throw error(field, "expected \(expectation), found \"\(text)\"") }
    return value
  }

  private func required<Value>(_ field: String, _ expectation: String, _ value: Value?) throws -> Value {
    guard let value else { throw error(field, "expected \(expectation), found nothing") }
    return value
  }
}
