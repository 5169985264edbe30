import Synchronization
import Testing

@testable import Firn

@Suite struct AccessorReuseTests {
  private final class Accessor {
    var number = 0
  }

  /// Owns an accessor the way an iterator does.
  private final class Owner {
    let address: UnsafeMutableRawPointer
    init() { address = Unmanaged.passRetained(Accessor()).toOpaque() }
    deinit { Unmanaged<Accessor>.fromOpaque(address).release() }
    var isUnobserved: Bool { AccessorReuse.isUnobserved(address, AccessorReuse.uniqueWord) }
    func reference() -> Accessor { Unmanaged<Accessor>.fromOpaque(address).takeUnretainedValue() }
  }

  private final class WeakHolder { weak var accessor: Accessor? }
  private final class UnownedHolder {
    unowned let accessor: Accessor
    init(_ accessor: Accessor) { self.accessor = accessor }
  }
  private final class Kept: @unchecked Sendable {
    var accessors: [Accessor] = []
    var closure: (() -> Int)?
  }

  @Test func wordsAreThoseOfThisRuntime() {
    #expect(AccessorReuse.isKnown)
  }

  @Test func aUsedAndForgottenAccessorIsUnobserved() {
    let owner = Owner()
    #expect(owner.isUnobserved)
    for round in 0..<100 {
      use(owner, round)
      #expect(owner.isUnobserved)
    }
  }

  @inline(never) private func use(_ owner: Owner, _ number: Int) {
    let accessor = owner.reference()
    accessor.number += number
  }

  @Test func strongReferencesAreSeenUntilTheyGo() {
    let owner = Owner()
    let kept = Kept()
    keep(owner, in: kept)
    #expect(!owner.isUnobserved)
    kept.accessors = []
    #expect(owner.isUnobserved)
  }

  @inline(never) private func keep(_ owner: Owner, in kept: Kept) { kept.accessors.append(owner.reference()) }

  @Test func capturesAreSeen() {
    let owner = Owner()
    let kept = Kept()
    capture(owner, in: kept)
    #expect(!owner.isUnobserved)
    #expect(kept.closure?() == 0)
    kept.closure = nil
    #expect(owner.isUnobserved)
  }

  @inline(never) private func capture(_ owner: Owner, in kept: Kept) {
    let accessor = owner.reference()
    kept.closure = { accessor.number }
  }

  @Test func weakReferencesAreSeenForGood() {
    let owner = Owner()
    let holder = WeakHolder()
    holder.accessor = owner.reference()
    #expect(!owner.isUnobserved)
    #expect(holder.accessor != nil)
    holder.accessor = nil
    // The side table stays, so such an accessor is never reused again: safe.
    #expect(!owner.isUnobserved)
  }

  @Test func unownedReferencesAreSeenUntilTheyGo() {
    let owner = Owner()
    var holder: UnownedHolder? = UnownedHolder(owner.reference())
    #expect(!owner.isUnobserved)
    #expect(holder?.accessor.number == 0)
    holder = nil
    #expect(owner.isUnobserved)
  }

  @Test func referencesOfOtherThreadsAreSeen() async {
    let owner = Owner()
    let kept = Kept()
    keep(owner, in: kept)
    nonisolated(unsafe) let number = kept.accessors[0]
    let task = Task.detached { number.number }
    _ = await task.value
    kept.accessors = []
    // The local constant may live to here or have gone: an answer of true must mean that it has gone.
    if owner.isUnobserved { #expect(owner.reference().number == 0) }
  }

  @Test func retainingByAStoreBalancesAnOrdinaryRelease() {
    let owner = Owner()
    for round in 1...1_000 {
      #expect(owner.isUnobserved)
      AccessorReuse.retainUnobserved(owner.address, AccessorReuse.sharedWord)
      #expect(!owner.isUnobserved)
      let element = Unmanaged<Accessor>.fromOpaque(owner.address).takeRetainedValue()
      element.number += 1
      #expect(element.number == round)
      finish(element)
    }
  }

  @inline(never) private func finish(_ element: consuming Accessor) {}
}
