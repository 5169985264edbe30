import DepartureScreen
import Testing

@Suite struct KeyDecoderTests {
  private static let cases: [(String, [Key])] = [
    ("qK ", [.character("q"), .character("K"), .character(" ")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.pageUp, .pageDown, .home, .end, .home, .end]),
    ("\u{1B}[1;5A", [.up]),
    ("\u{1B}[15~\u{1B}[3~x", [.character("x")]),
    ("\u{1B}[[Ax", [.character("x")]),
    ("\u{1B}ax", [.character("x")]),
    ("\u{1B}\u{1B}[A", [.escape, .up]),
    ("\r\n\t\u{7F}\u{8}\u{C}", [.enter, .enter, .tab, .backspace, .backspace, .control("l")]),
    ("é東🛫", [.character("é"), .character("東"), .character("🛫")]),
    ("\u{1B}[12\u{1B}[A", [.up]),
    ("\u{1B}[" + String(repeating: "9;", count: 500) + "Ax", [.up, .character("x")]),
  ]

  @Test(arguments: cases)
  func findsKeysHoweverTheBytesAreCut(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      var found = decoder.decode(bytes[..<cut])
      found += decoder.decode(bytes[cut...])
      #expect(found == keys, "cut at \(cut)")
      #expect(!decoder.isWaiting)
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == keys)
  }

  @Test func escapeAloneIsAKeyWhenNothingFollows() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.finish() == .escape)
    #expect(decoder.decode(Array("[A".utf8)) == [.character("["), .character("A")])
  }

  @Test func halfASequenceIsNoKey() {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array("\u{1B}[1;".utf8)) == [])
    #expect(decoder.finish() == nil)
    #expect(!decoder.isWaiting)
  }

  @Test(
    arguments: [[0xFF], [0x80], [0xC0, 0xAF], [0xE6, 0x9D], [0xED, 0xA0, 0x80], [0xF5], [0x00], [0x1C]] as [[UInt8]])
  func brokenBytesAreNoKeysAndDoNotHarmTheNext(bytes: [UInt8]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(bytes + Array("qq".utf8)).last == .character("q"))
  }

  @Test(arguments: 1...50)
  func anyBytesAreTaken(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = KeyDecoder()
    let likely: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x7E, 0xE6, 0x9D, 0xB1]
    for _ in 0..<500 {
      let byte =
        Bool.random(using: &random) ? likely.randomElement(using: &random)! : .random(in: 0...255, using: &random)
      #expect(decoder.decode([byte]).count <= 2, "seed \(seed)")
    }
    _ = decoder.finish()
    #expect(decoder.decode([0x71]) == [.character("q")], "seed \(seed)")
  }
}
