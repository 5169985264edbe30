import Foundation
import Testing

/// Every piece of code in the documentation stands in a file that is compiled with this test, or in the program in
/// `Examples/Readme`. What guides and README show is run as well: it stands in the tests in `Pages`, which compare what it
/// prints and does.
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

  private static func compiledFiles() throws -> [CompiledFile] {
    let program = try String(contentsOf: root.appendingPathComponent("Examples/Readme/main.swift"), encoding: .utf8)
    let folders = ["Tests/DocumentationTests/Pages", "Tests/DocumentationTests/Snippets"]
    return try [CompiledFile(program, isProgram: true)]
      + folders.flatMap { try files(in: $0, ".swift").map { CompiledFile($0.text) } }
  }

  private static func pageBlocks() throws -> [CodeBlock] {
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let pages = try files(in: "Sources", ".md").filter { $0.name.contains(".docc/") }
    return CodeBlock.blocks(ofPage: "README.md", readme)
      + pages.flatMap { CodeBlock.blocks(ofPage: $0.name, $0.text) }
  }

  private static func commentBlocks() throws -> [CodeBlock] {
    try ["Firn", "FirnCombine", "FirnMapping"].flatMap { module in
      try files(in: "Sources/\(module)", ".swift").flatMap { CodeBlock.blocks(ofSource: $0.name, $0.text) }
    }
  }

  @Test func everyPieceOfCodeIsCompiled() throws {
    let files = try Self.compiledFiles()
    let blocks = try Self.pageBlocks() + Self.commentBlocks()
    #expect(blocks.count > 60)
    for block in blocks where !files.contains(where: { $0.contains(block) }) {
      Issue.record("This code is in no file of Tests/DocumentationTests, nor in Examples/Readme: \(block)")
    }
  }

  @Test func everyPieceOfCodeOfPagesIsRun() throws {
    let files = try Self.compiledFiles()
    let blocks = try Self.pageBlocks().filter { !$0.isDeclaration }
    #expect(blocks.count > 20)
    for block in blocks where !files.contains(where: { $0.runs(block) }) {
      Issue.record("This code is in no test of Tests/DocumentationTests/Pages, nor in Examples/Readme: \(block)")
    }
  }

  @Test func blocksAreFound() throws {
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
    let block = try #require(blocks.first)
    #expect(CompiledFile("x\nlet a = 1\nlet b = 2\ny").contains(block))
    #expect(!CompiledFile("let a = 1\ny\nlet b = 2").contains(block))
    #expect(!CompiledFile("let a = 1\nlet b = 3").contains(block))
  }

  @Test func codeThatIsRunIsToldFromCodeThatIsOnlyCompiled() throws {
    let block = try #require(CodeBlock.blocks(ofPage: "p", "```swift\na.run()\n```").first)
    #expect(!block.isDeclaration)
    let test = "struct S {\n  @Test func f() {\n    let x = 1\n    use {\n      a.run()\n    }\n  }\n}"
    #expect(CompiledFile(test).runs(block))
    let function = "struct S {\n  @Test func f() {\n  }\n  func g() {\n    a.run()\n  }\n}"
    #expect(CompiledFile(function).contains(block) && !CompiledFile(function).runs(block))
    #expect(CompiledFile("a.run()", isProgram: true).runs(block))
    #expect(!CompiledFile("a.stop()", isProgram: true).runs(block))
    let declarations = ["class A {\n}", "// Text\n@Persisted(indexed: true) var a: Int", "import Firn", "actor B {\n}"]
    for text in declarations {
      let blocks = CodeBlock.blocks(ofPage: "p", "```swift\n\(text)\n```")
      #expect(blocks.map(\.isDeclaration) == [true], "\(text)")
    }
  }
}
