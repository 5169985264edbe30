import Testing

@testable import Firn

@propertyWrapper private struct Patched<Value> {
  var wrappedValue: Value
  var slot: UInt64 = 0
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private class FieldsBase {
  @Patched var age: Int = 1
  let title = "base"
  var ageSlot: UInt64 { _age.slot }
}

private final class FieldsDerived: FieldsBase {
  @Patched var link: FieldsBase?
  lazy var computedOnce = title.count
  static let shared = 5
  var computed: Int { 3 }
  func slots() -> [UInt64] { [ageSlot, _link.slot] }
}

@Suite struct RuntimeFieldsTests {
  private let fields = RuntimeFields.fields(of: FieldsDerived.self)

  @Test func listsStoredPropertiesOfSuperclassesFirst() {
    #expect(fields.map(\.name) == ["_age", "title", "_link", "$__lazy_storage_$_computedOnce"])
    #expect(fields.map(\.offset) == fields.map(\.offset).sorted())
    #expect(fields.first?.offset == 16)
  }

  @Test func yieldsTheTypesOfTheStorage() {
    let expected: [Any.Type] = [Patched<Int>.self, String.self, Patched<FieldsBase?>.self, Int?.self]
    #expect(fields.map { ObjectIdentifier($0.type) } == expected.map { ObjectIdentifier($0) })
  }

  /// Managed objects are made by writing slots at these offsets, into storage the user's module never writes itself.
  /// Not a promise of the language, so release builds have to run this too.
  @Test func storagePatchedByOffsetIsWhatTheClassReads() throws {
    let object = FieldsDerived()
    let address = Unmanaged.passUnretained(object).toOpaque()
    let age = try #require(MemoryLayout<Patched<Int>>.offset(of: \.slot))
    let link = try #require(MemoryLayout<Patched<FieldsBase?>>.offset(of: \.slot))
    (address + fields[0].offset + age).storeBytes(of: 7, as: UInt64.self)
    (address + fields[2].offset + link).storeBytes(of: 9, as: UInt64.self)
    #expect(object.slots() == [7, 9])
  }
}
