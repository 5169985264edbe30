import FirnDurability
import Foundation
import Testing

@testable import Firn

/// The text form of tokens.
@Suite struct ResumeTokenTests {
  private static let tokens = [
    ResumeToken(nil),
    ResumeToken(HistoryPosition(storeID: StoreID(low: 1, high: 2), version: 10, mark: 255)),
    ResumeToken(HistoryPosition(storeID: StoreID(low: .max, high: .max), version: .max, mark: .max)),
    ResumeToken(HistoryPosition(storeID: StoreID(low: 0, high: 0), version: 0, mark: 0)),
  ]

  @Test(arguments: tokens) func textsAreReadBack(token: ResumeToken) throws {
    let text = token.description
    #expect(ResumeToken(text) == token)
    #expect(text.utf8.count <= 80 && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "fits into a line of a header")
    let json = try JSONEncoder().encode([token])
    #expect(try JSONDecoder().decode([ResumeToken].self, from: json) == [token])
  }

  @Test func formsStay() {
    #expect(Self.tokens[0].description == "1.none")
    #expect(Self.tokens[1].description == "1.01000000000000000200000000000000.a.ff")
  }

  @Test(
    arguments: [
      "", ".", "...", "1", "1.", "1.none.", "2.none", " 1.none", "1.none\n", "1.01000000000000000200000000000000.a",
      "1.01000000000000000200000000000000.a.ff.", "1.01000000000000000200000000000000.0a.ff",
      "1.01000000000000000200000000000000.A.ff", "1.01000000000000000200000000000000.+a.ff",
      "1.01000000000000000200000000000000.-a.ff", "1.01000000000000000200000000000000..ff",
      "1.0100000000000000020000000000000.a.ff", "1.010000000000000002000000000000000.a.ff",
      "1.0100000000000000020000000000000g.a.ff", "2.01000000000000000200000000000000.a.ff",
      "1.01000000000000000200000000000000.10000000000000000.ff", "1.01000000000000000200000000000000.a.ff\0",
      "1.٠1000000000000000200000000000000.a.ff", String(repeating: "1.", count: 1_000_000),
    ]) func otherTextsAreRefused(text: String) throws
  {
    #expect(ResumeToken(text) == nil)
    let json = try JSONEncoder().encode([text])
    #expect(throws: Swift.DecodingError.self) { try JSONDecoder().decode([ResumeToken].self, from: json) }
  }
}
