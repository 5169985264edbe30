// Lists the public symbols of symbol graphs that have no documentation, and fails if there are any.
//
//     UndocumentedSymbols GRAPH.symbols.json...
//
// Names that begin with an underscore are public for the compiler only. What the compiler makes (synthesized members) and
// what takes over the documentation of a protocol's requirement needs none of its own.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Documentation: Decodable {}
    struct Location: Decodable {
      struct Position: Decodable { var line: Int }
      var uri: String
      var position: Position
    }

    var identifier: Identifier
    var pathComponents: [String]
    var docComment: Documentation?
    var location: Location?
  }

  var symbols: [Symbol]
}

extension SymbolGraph.Symbol {
  var isForUsers: Bool {
    !pathComponents.contains { $0.hasPrefix("_") } && !identifier.precise.contains("::SYNTHESIZED::") && location != nil
  }
}

var count = 0
var missing: [String] = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  for symbol in graph.symbols where symbol.isForUsers {
    count += 1
    guard symbol.docComment == nil, let location = symbol.location else { continue }
    let file = URL(string: location.uri)?.path ?? location.uri
    missing.append("\(file):\(location.position.line + 1): \(symbol.pathComponents.joined(separator: "."))")
  }
}
if count == 0 {
  print("No public symbols were found: the symbol graphs are not those of the library.")
  exit(1)
}
for line in missing.sorted() { print("undocumented: \(line)") }
print("\(count - missing.count) of \(count) public symbols are documented.")
exit(missing.isEmpty ? 0 : 1)
