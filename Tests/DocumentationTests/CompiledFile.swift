import Foundation

/// A source file that is compiled, and holds code of the documentation.
struct CompiledFile {
  /// A line that is not empty.
  private struct Line {
    let text: String
    let indentation: Int
  }

  private let lines: [Line]
  /// Whether what stands outside of functions is run: the file of a program is.
  private let isProgram: Bool

  init(_ text: String, isProgram: Bool = false) {
    lines = text.split(separator: "\n").compactMap { line in
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      return trimmed.isEmpty ? nil : Line(text: trimmed, indentation: line.prefix { $0 == " " }.count)
    }
    self.isProgram = isProgram
  }

  /// Whether the lines of a block stand in the file one after another.
  func contains(_ block: CodeBlock) -> Bool { !places(of: block).isEmpty }

  /// The same, where a test or program runs them.
  func runs(_ block: CodeBlock) -> Bool { places(of: block).contains { isRun($0) } }

  private func places(of block: CodeBlock) -> [Int] {
    guard let first = block.lines.first, block.lines.count <= lines.count else { return [] }
    return (0...lines.count - block.lines.count).filter { start in
      lines[start].text == first && lines[start..<start + block.lines.count].map(\.text) == block.lines
    }
  }

  /// Whether a line stands in a test, by the lines around it that are indented less.
  private func isRun(_ place: Int) -> Bool {
    var indentation = lines[place].indentation
    if indentation == 0 { return isProgram }
    for line in lines[..<place].reversed() where line.indentation < indentation {
      if line.text.contains("@Test ") { return true }
      indentation = line.indentation
    }
    return false
  }
}
