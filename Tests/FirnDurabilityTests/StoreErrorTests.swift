import FirnDurability
import Testing

@Suite struct StoreErrorTests {
  @Test func describesItselfByItsMessage() {
    let error = StoreError(.corrupted, "The file is damaged at byte 12.", path: "/a")
    #expect("\(error)" == "The file is damaged at byte 12.")
    #expect(error.path == "/a")
  }
}
