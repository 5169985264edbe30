import Firn
import Foundation
import TestSupport
import Testing

private final class Crate: Object {
  @Persisted var name: String
  @Persisted var sizes: List<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var marks: MutableSet<Int>
  @Persisted(originProperty: "inner") var outer: LinkingObjects<Crate>
  @Persisted var inner: Crate?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Freezing an unmanaged, deleted or new object throws an error with a sentence.
@Suite struct FrozenErrorTests {
  private func failure<Result>(_ body: () throws -> Result) -> String {
    #expect(throws: Realm.Error.self) { _ = try body() }?.localizedDescription ?? ""
  }

  @Test func whatIsUnmanagedCannotBeFrozen() {
    let crate = Crate()
    #expect(failure { try Frozen(crate) }.hasPrefix("Unmanaged objects cannot be frozen. Add the one of class 'Crate'"))
    for text in [
      failure { try Frozen(crate.sizes) }, failure { try Frozen(crate.notes) }, failure { try Frozen(crate.marks) },
      failure { try Frozen(crate.outer) }, failure { try Frozen(AnyRealmCollection(crate.sizes)) },
    ] {
      #expect(text.hasPrefix("An unmanaged collection of type '") && text.contains("' cannot be frozen."), "\(text)")
    }
  }

  @Test func deletedAndNewObjectsCannotBeFrozen() throws {
    try onOwnThread {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Crate.self]))
      let (kept, gone) = try realm.write { (realm.create(Crate.self), realm.create(Crate.self)) }
      let sizes = gone.sizes
      try realm.write {
        realm.delete(gone)
        let new = realm.create(Crate.self)
        #expect(failure { try Frozen(new) }.hasPrefix("An object that was added in the same write transaction"))
        let frozen = try Frozen(kept)
        #expect(frozen.name.isEmpty)
      }
      #expect(failure { try Frozen(gone) }.hasPrefix("Object has been deleted or invalidated."))
      #expect(try Frozen(sizes).isEmpty, "a collection that is gone is empty")
      #expect(try Frozen(kept.sizes).isEmpty && Frozen(realm.objects(Crate.self)).count == 2)
    }
  }
}
