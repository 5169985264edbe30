import Synchronization
import Testing

@testable import Firn

/// Stand-ins for the library's base class and property wrapper: the wrapper marks what counts as persisted.
open class ReuseBase {
  @exclusivity(unchecked) final var owner: AnyObject?
  @exclusivity(unchecked) final var key: UInt64 = 0
  public init() {}
  @inline(never) deinit { torndown.wrappingAdd(1, ordering: .relaxed) }
}

private let torndown = Atomic<Int>(0)

private final class ReuseReference: ReuseBase {}

private protocol ReusePersisted {}
private struct Stored<Value>: ReusePersisted {
  var value: Value?
  var slot: UInt64 = 0
}

private final class NoProperties: ReuseBase {}
private class Numbers: ReuseBase {
  var age = Stored<Int>(), score = Stored<Double?>(), active = Stored<Bool>()
}
private final class Mixed: Numbers {
  var name = Stored<String>(), city = Stored<String?>(), best = Stored<Mixed?>(), friends = Stored<[Int]>()
}
private final class EmptyDeinit: ReuseBase {
  var name = Stored<String>()
  deinit {}
}
private let counter = Atomic<Int>(0)
nonisolated(unsafe) private var plainCounter = 0

private final class CountsAtomically: ReuseBase {
  deinit { counter.wrappingAdd(1, ordering: .relaxed) }
}
private class CountsPlainly: ReuseBase {
  var name = Stored<String>()
  deinit { plainCounter += 1 }
}
private final class InheritsDeinit: CountsPlainly {
  var age = Stored<Int>()
}
private final class Prints: ReuseBase {
  var age = Stored<Int>()
  deinit { print("gone", age.slot) }
}
private final class Traps: ReuseBase {
  var age = Stored<Int>()
  deinit { if age.slot == 77 { fatalError("seventy-seven") } }
}
private final class WritesThroughAProperty: ReuseBase {
  var friends = Stored<WritableBox>()
  deinit { friends.value?.number = 5 }
}
private final class WritableBox { var number = 0 }
private final class ReleasesMore: ReuseBase {
  var token = Stored<Int>()
  deinit {
    guard let address = UnsafeRawPointer(bitPattern: UInt(token.slot)) else { return }
    Unmanaged<AnyObject>.fromOpaque(address).release()
  }
}
private final class OwnProperty: ReuseBase {
  var age = Stored<Int>()
  var selected = false
}
private final class LazyProperty: ReuseBase {
  lazy var total = 5
}

@Suite struct ReusableClassesTests {
  private let classes = ReusableClasses(base: ReuseBase.self, reference: ReuseReference.self)

  private func isEligible<T: ReuseBase>(_ make: @autoclosure () -> T) -> Bool {
    release(make())
    return classes.isEligible(T.self) { $0 is any ReusePersisted.Type }
  }

  /// Binds the calls of the destructor.
  @inline(never) private func release(_ object: consuming ReuseBase) {}

  /// Optimised x86-64 code is understood; anything else never counts as reusable.
  private var understandsOrdinaryClasses: Bool {
    #if DEBUG || !arch(x86_64)
      false
    #else
      true
    #endif
  }

  @Test func ordinaryClassesAreReusableInReleaseBuilds() {
    #expect(isEligible(NoProperties()) == understandsOrdinaryClasses)
    #expect(isEligible(Numbers()) == understandsOrdinaryClasses)
    #expect(isEligible(Mixed()) == understandsOrdinaryClasses)
    #expect(isEligible(EmptyDeinit()) == understandsOrdinaryClasses)
  }

  @Test func classesWithADeinitAreNot() {
    #expect(!isEligible(CountsAtomically()))
    #expect(!isEligible(CountsPlainly()))
    #expect(!isEligible(InheritsDeinit()))
    #expect(!isEligible(Prints()))
    #expect(!isEligible(Traps()))
    #expect(!isEligible(WritesThroughAProperty()))
    #expect(!isEligible(ReleasesMore()))
  }

  @Test func classesWithPropertiesOfTheirOwnAreNot() {
    #expect(!isEligible(OwnProperty()))
    #expect(!isEligible(LazyProperty()))
  }

  @Test func answersAreTheSameFromAllThreads() async {
    release(Mixed())
    let classes = classes
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 {
        group.addTask { classes.isEligible(Mixed.self) { $0 is any ReusePersisted.Type } }
      }
      for await answer in group { #expect(answer == understandsOrdinaryClasses) }
    }
  }
}
