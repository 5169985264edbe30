import Foundation
import Testing

/// Every piece of code in the documentation stands in a file of `Snippets`, which is compiled with this test.
@Suite struct SnippetTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files(in folder: String, _ suffix: String) throws -> [(name: String, text: String)] {
    let base = root.appendingPathComponent(folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(suffix) }.sorted()
    return try names.map { name in
      ("\(folder)/\(name)", try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8))
    }
  }

  private static func snippets() throws -> [[String]] {
    try files(in: "Tests/DocumentationTests/Snippets", ".swift").map { file in
      file.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
  }

  private static func blocks() throws -> [CodeBlock] {
    var blocks = CodeBlock.blocks(
      ofPage: "README.md", try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8))
    for page in try files(in: "Sources", ".md") where page.name.contains(".docc/") {
      blocks += CodeBlock.blocks(ofPage: page.name, page.text)
    }
    for module in ["Firn", "FirnMapping"] {
      for source in try files(in: "Sources/\(module)", ".swift") {
        blocks += CodeBlock.blocks(ofSource: source.name, source.text)
      }
    }
    return blocks
  }

  @Test func everyPieceOfCodeIsCompiled() throws {
    let snippets = try Self.snippets()
    let blocks = try Self.blocks()
    #expect(blocks.count > 10)
    for block in blocks where !snippets.contains(where: { block.isPart(of: $0) }) {
      Issue.record("This code is in no file of Tests/DocumentationTests/Snippets: \(block)")
    }
  }

  @Test func blocksAreFound() {
    let page = "Text\n```swift\nlet a = 1\n\n  let b = 2\n```\n```sh\nls\n```\n"
    #expect(CodeBlock.blocks(ofPage: "p", page).map(\.lines) == [["let a = 1"], ["let b = 2"]])
    let source = """
      /// Text.
      ///
      ///     let a = 1
      ///         let b = 2
      ///
      /// - Parameter x: Text
      ///     that goes on.
      @inlinable
      public func f(x: Int) {}
      /// Text.
      ///
      ///     let c = 3
      func g() {}
      """
    let blocks = CodeBlock.blocks(ofSource: "s", source)
    #expect(blocks.map(\.lines) == [["let a = 1", "let b = 2"]])
    #expect(blocks.first?.line == 3)
    #expect(blocks.first?.isPart(of: ["x", "let a = 1", "let b = 2", "y"]) == true)
    #expect(blocks.first?.isPart(of: ["let a = 1", "y", "let b = 2"]) == false)
  }
}
