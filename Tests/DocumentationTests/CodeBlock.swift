import Foundation

/// Code that the documentation shows: lines without an empty one between them.
struct CodeBlock: CustomStringConvertible {
  let file: String
  let line: Int
  /// Without leading and trailing blanks.
  let lines: [String]

  var description: String { "\(file):\(line)\n" + lines.joined(separator: "\n") }

  /// The blocks fenced as Swift in a page.
  static func blocks(ofPage file: String, _ text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, lines: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let (start, lines) = open {
        if trimmed == "```" || trimmed.isEmpty {
          if !lines.isEmpty { blocks.append(CodeBlock(file: file, line: start, lines: lines)) }
          open = trimmed.isEmpty ? (index + 2, []) : nil
        } else {
          open = (start, lines + [trimmed])
        }
      } else if trimmed == "```swift" {
        open = (index + 2, [])
      }
    }
    return blocks
  }

  /// The indented blocks in the comments of public declarations.
  static func blocks(ofSource file: String, _ text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var pending: [CodeBlock] = []
    var open: CodeBlock?
    var followsBlank = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix("///") else {
        if let block = open { pending.append(block) }
        open = nil
        followsBlank = false
        // Attributes may stand between the comment and the declaration.
        if trimmed.hasPrefix("@"), !trimmed.contains(" public ") { continue }
        if isPublic(trimmed) { blocks += pending }
        pending = []
        continue
      }
      let comment = trimmed.dropFirst(3)
      if comment.hasPrefix("     "), open != nil || followsBlank {
        let code = comment.trimmingCharacters(in: .whitespaces)
        open = CodeBlock(file: file, line: open?.line ?? index + 1, lines: (open?.lines ?? []) + [code])
      } else {
        if let block = open { pending.append(block) }
        open = nil
      }
      followsBlank = comment.isEmpty
    }
    return blocks
  }

  private static func isPublic(_ declaration: String) -> Bool {
    declaration.hasPrefix("public ") || declaration.hasPrefix("open ") || declaration.contains(" public ")
      || declaration.contains(" open ")
  }

  /// Whether the lines stand in `text` one after another.
  func isPart(of text: [String]) -> Bool {
    guard let first = lines.first, lines.count <= text.count else { return lines.isEmpty }
    return (0...text.count - lines.count).contains { start in
      text[start] == first && Array(text[start..<start + lines.count]) == lines
    }
  }
}
