import Foundation
import Testing

/// The templates for files are those for editors, too.
@Suite struct TemplateTests {
  /// A snippet as VS Code has it.
  private struct Snippet: Codable, Equatable {
    var scope: String
    var prefix: String
    var description: String
    var body: [String]
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Templates")

  /// `StructureAsInteger.swift` is the snippet "ColumnCodable Integer Structure"; the name of its type is what to fill in.
  private static func snippet(_ file: URL) throws -> Snippet {
    let name = file.deletingPathExtension().lastPathComponent
    let parts = name.components(separatedBy: "As")
    try #require(parts.count == 2, "\(name)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.drop { $0.hasPrefix("import ") || $0.isEmpty }.map(String.init).dropLast()
    return Snippet(
      scope: "swift", prefix: "ColumnCodable \(parts[1]) \(parts[0])",
      description: body.first.map { String($0.dropFirst(4)) } ?? "",
      body: body.map { $0.replacing(name, with: "${1:\(name)}") })
  }

  private static func snippets() throws -> [String: Snippet] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let snippets = try files.filter { $0.pathExtension == "swift" }.map(snippet)
    return Dictionary(uniqueKeysWithValues: snippets.map { ($0.prefix, $0) })
  }

  /// With FIRN_WRITE_SNIPPETS in the environment the file is written.
  @Test func editorsHaveTheSameTemplates() throws {
    let file = Self.folder.appendingPathComponent("FirnMapping.code-snippets")
    let snippets = try Self.snippets()
    if ProcessInfo.processInfo.environment["FIRN_WRITE_SNIPPETS"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try (encoder.encode(snippets) + Data("\n".utf8)).write(to: file)
    }
    let written = try JSONDecoder().decode([String: Snippet].self, from: Data(contentsOf: file))
    #expect(written == snippets, "write the file again with FIRN_WRITE_SNIPPETS")
    #expect(snippets["ColumnCodable Data Class"]?.body.contains("class ${1:ClassAsData}: ColumnCodable {") == true)
    let storages = Set(snippets.keys.compactMap { $0.split(separator: " ").dropFirst().first })
    #expect(storages == ["Integer", "Integer32", "Double", "Text", "Data", "JSON"])
    #expect(Set(snippets.keys.compactMap { $0.split(separator: " ").last }) == ["Class", "Structure", "Enumeration"])
  }
}
