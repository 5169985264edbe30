import CFirn
import FirnDurability
import FirnEngine

/// What a golden file holds, as JSON: what the reader in `Tests/FormatReader` must make of its bytes.
///
/// Floating-point numbers and dates are their bits in hexadecimal digits, highest first. Other values of a fixed width, and
/// data, are their bytes. Strings and data of more than 32 bytes are told by count and CRC.
struct GoldenDump {
  var storeID: StoreID
  var version: UInt64
  var catalogue: Catalogue
  /// In the order of the catalogue.
  var tables: [Table]
  /// The commits of the journal, each as JSON; nil for a base.
  var commits: [String]?

  struct Table {
    var nextKey: UInt64
    var rows: [Row]
  }

  /// Cells are JSON, in the order of the catalogue's columns.
  struct Row {
    var key: UInt64
    var cells: [String]
  }

  var bytes: [UInt8] {
    var text = #"{"storeID":"\#(storeID)","version":\#(version),"schemaVersion":\#(catalogue.schemaVersion),"#
    text += #""nextTableID":\#(catalogue.nextTableID),"# + "\n\"tables\":"
    text += GoldenJSON.lines(zip(catalogue.tables, tables).map(Self.table))
    if let commits { text += ",\n\"commits\":" + GoldenJSON.lines(commits) }
    return Array((text + "}\n").utf8)
  }

  private static func table(_ table: Catalogue.Table, _ content: Table) -> String {
    let columns = table.columns.map { column in
      var flags: [String] = []
      if column.isNullable { flags.append("nullable") }
      if column.collection == .list { flags.append("list") }
      if column.isIndexed { flags.append("indexed") }
      if column.isPrimaryKey { flags.append("primary_key") }
      if column.collection == .set { flags.append("set") }
      if column.collection == .map { flags.append("map") }
      if column.ownsTargets { flags.append("owning") }
      if column.isLeftBehind { flags.append("left_behind") }
      let target = column.targetTableID.map { "\($0)" } ?? "null"
      let names = GoldenJSON.array(flags.map { GoldenJSON.string($0) })
      return GoldenJSON.array(
        ["\(column.id)", GoldenJSON.string(column.name), "\(column.type.rawValue)", names, target])
    }
    let rows = content.rows.map { GoldenJSON.array(["\($0.key)"] + $0.cells) }
    return #"{"id":\#(table.id),"name":\#(GoldenJSON.string(table.name)),"nextColumnID":\#(table.nextColumnID),"#
      + #""nextKey":\#(content.nextKey),"# + "\n\"columns\":\(GoldenJSON.lines(columns)),\n\"rows\":"
      + GoldenJSON.lines(rows) + "}"
  }
}

/// JSON in one form for all who write it.
enum GoldenJSON {
  static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  /// An array with a line for each value.
  static func lines(_ values: [String]) -> String {
    values.isEmpty ? "[]" : "[\n" + values.joined(separator: ",\n") + "\n]"
  }

  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0"..<" ": result += "\\u" + hex([0, UInt8(scalar.value)])
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The value as it is shown, unless it is long.
  static func value(_ bytes: some Collection<UInt8>, shown: ([UInt8]) -> String) -> String {
    let bytes = Array(bytes)
    if bytes.count <= 32 { return shown(bytes) }
    let crc = bytes.withUnsafeBytes { firn_crc32c(0, $0.baseAddress, $0.count) }
    return #"{"bytes":\#(bytes.count),"crc":"\#(hex(withUnsafeBytes(of: crc.bigEndian) { Array($0) }))"}"#
  }

  static func text(_ bytes: some Collection<UInt8>) -> String {
    value(bytes) { string(String(decoding: $0, as: UTF8.self)) }
  }

  static func data(_ bytes: some Collection<UInt8>) -> String { value(bytes) { "\"\(hex($0))\"" } }

  /// The bits of a number, lowest byte first, as their highest digit first.
  static func number(_ bytes: some Collection<UInt8>) -> String { "\"\(hex(Array(bytes).reversed()))\"" }

  static func hex(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
