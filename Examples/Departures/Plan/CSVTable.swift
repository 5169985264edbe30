package import Foundation

/// A CSV file with a header, as RFC 4180 has it: fields may be quoted, quoted fields may hold commas, line ends and
/// doubled quotes. Lines end with LF or CRLF; wholly empty lines are skipped. An empty field means "no value".
package struct CSVTable {
  package let rows: [CSVRow]

  package init(contentsOf url: URL) throws {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: url)
    } catch {
      throw DataError(file: url.path, problem: "expected a readable file (\(error.localizedDescription))")
    }
    try self.init(bytes, file: url.path)
  }

  package init(_ bytes: some Sequence<UInt8>, file: String) throws {
    var parser = CSVParser(bytes: Array(bytes), file: file)
    guard let header = try parser.nextRecord() else {
      throw DataError(file: file, line: 1, problem: "expected a header with field names, found an empty file")
    }
    var positions: [String: Int] = [:]
    for (position, name) in header.fields.enumerated() {
      guard positions.updateValue(position, forKey: name) == nil else {
        throw DataError(file: file, line: 1, field: name, problem: "expected each field once, found it twice")
      }
    }
    var rows: [CSVRow] = []
    while let record = try parser.nextRecord() {
      guard record.fields.count == header.fields.count else {
        let problem = "expected \(header.fields.count) fields as in the header, found \(record.fields.count)"
        throw DataError(file: file, line: record.line, problem: problem)
      }
      rows.append(CSVRow(file: file, line: record.line, positions: positions, fields: record.fields))
    }
    self.rows = rows
  }
}

private struct CSVParser {
  let bytes: [UInt8]
  let file: String
  var position = 0
  var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }  // the byte order mark of spreadsheet programs
  }

  /// The next record and the line it starts on; nil at the end.
  mutating func nextRecord() throws -> (line: Int, fields: [String])? {
    while skipLineEnd() {}
    guard position < bytes.count else { return nil }
    let start = line
    var fields = [try nextField()]
    while position < bytes.count, !skipLineEnd() {
      position += 1  // the comma at which every field ends that is not the last of its line
      fields.append(try nextField())
    }
    return (start, fields)
  }

  private mutating func skipLineEnd() -> Bool {
    var end = position
    if end < bytes.count, bytes[end] == Self.carriageReturn { end += 1 }
    guard end < bytes.count, bytes[end] == Self.lineFeed else { return false }
    position = end + 1
    line += 1
    return true
  }

  private var isAtFieldEnd: Bool {
    guard position < bytes.count else { return true }
    switch bytes[position] {
    case Self.comma, Self.lineFeed: return true
    case Self.carriageReturn: return position + 1 < bytes.count && bytes[position + 1] == Self.lineFeed
    default: return false
    }
  }

  private mutating func nextField() throws -> String {
    let start = line
    let content = position < bytes.count && bytes[position] == Self.quote ? try quotedContent() : try plainContent()
    guard let text = String(validating: content, as: UTF8.self) else {
      throw DataError(file: file, line: start, problem: "expected UTF-8, found other bytes")
    }
    return text
  }

  private mutating func plainContent() throws -> [UInt8] {
    let start = position
    while !isAtFieldEnd {
      guard bytes[position] != Self.quote else {
        throw DataError(file: file, line: line, problem: "expected quotes around a whole field, found one inside it")
      }
      position += 1
    }
    return Array(bytes[start..<position])
  }

  private mutating func quotedContent() throws -> [UInt8] {
    let start = line
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        let isDoubled = position < bytes.count && bytes[position] == Self.quote
        guard isDoubled else {
          guard isAtFieldEnd else {
            throw DataError(file: file, line: line, problem: "expected a comma or a line end after the closing quote")
          }
          return content
        }
        position += 1
      }
      if byte == Self.lineFeed { line += 1 }
      content.append(byte)
    }
    throw DataError(file: file, line: start, problem: "expected a closing quote, found the end of the file")
  }
}
