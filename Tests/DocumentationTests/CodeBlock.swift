import Foundation

/// Code that the documentation shows: lines without an empty one between them.
struct CodeBlock: CustomStringConvertible {
  let file: String
  let line: Int
  /// Without leading and trailing blanks.
  let lines: [String]
  /// Whether it goes on with what an earlier block began.
  var isContinuation = false

  var description: String { "\(file):\(line)\n" + lines.joined(separator: "\n") }

  /// The blocks fenced as Swift in a page.
  static func blocks(ofPage file: String, _ text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, lines: [String])?
    var depth = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let (start, lines) = open {
        if trimmed == "```" || trimmed.isEmpty {
          if !lines.isEmpty {
            blocks.append(CodeBlock(file: file, line: start, lines: lines, isContinuation: depth > 0))
            for character in lines.joined() { depth += character == "{" ? 1 : character == "}" ? -1 : 0 }
          }
          open = trimmed.isEmpty ? (index + 2, []) : nil
        } else {
          open = (start, lines + [trimmed])
        }
      } else if trimmed == "```swift" {
        open = (index + 2, [])
        depth = 0
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

  /// Whether the block only declares something, so that there is nothing to be run.
  var isDeclaration: Bool {
    if isContinuation { return true }
    guard let first = lines.first(where: { !$0.hasPrefix("//") })?.split(separator: " ").first else { return true }
    return ["import", "class", "struct", "enum", "actor", "extension", "func", "@Persisted"].contains {
      first == $0 || first.hasPrefix($0 + "(")
    }
  }
}
