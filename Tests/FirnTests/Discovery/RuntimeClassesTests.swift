import Testing

@testable import Firn

/// Two levels, every scope a class can be declared in, and the kinds that discovery leaves out.
open class DiscoveredBase {
  public init() {}
}
public class PublicDiscovered: DiscoveredBase {}
class InternalDiscovered: DiscoveredBase {}
private class PrivateDiscovered: DiscoveredBase {}
private final class GrandchildDiscovered: PrivateDiscovered {}
enum DiscoveryScope {
  class NestedDiscovered: DiscoveredBase {}
  struct Inner { final class DeepDiscovered: NestedDiscovered {} }
}
class GenericDiscovered<Value>: DiscoveredBase {}
final class BoundDiscovered: GenericDiscovered<Int> {}
final class Unrelated {}

@Suite struct RuntimeClassesTests {
  private var found: [String] { RuntimeClasses.subclasses(of: DiscoveredBase.self).map(RuntimeClasses.name(of:)) }

  @Test func runtimeIsTheKnownOne() {
    #expect(RuntimeMetadata.isUnderstood)
  }

  @Test func findsSubclassesOfEveryScopeAndLevel() {
    final class LocalDiscovered: DiscoveredBase {}
    _ = LocalDiscovered.self
    #expect(
      found == [
        "BoundDiscovered", "DeepDiscovered", "GrandchildDiscovered", "InternalDiscovered", "LocalDiscovered",
        "NestedDiscovered",
        "PrivateDiscovered", "PublicDiscovered",
      ])
  }

  @Test func findsOnlyTheSubtreeOfTheGivenClass() {
    let names = RuntimeClasses.subclasses(of: PrivateDiscovered.self).map(RuntimeClasses.name(of:))
    #expect(names == ["GrandchildDiscovered"])
    #expect(RuntimeClasses.subclasses(of: Unrelated.self).isEmpty)
  }

  @Test func yieldsTheClassesThemselves() {
    let classes = RuntimeClasses.subclasses(of: DiscoveryScope.NestedDiscovered.self)
    #expect(classes.count == 1)
    #expect(classes.first == DiscoveryScope.Inner.DeepDiscovered.self)
  }

  @Test func leavesOutGenericClassesButNotTheirSubclasses() {
    #expect(!found.contains { $0.hasPrefix("Generic") })
    #expect(RuntimeClasses.subclasses(of: DiscoveredBase.self).contains { $0 == BoundDiscovered.self })
  }
}
