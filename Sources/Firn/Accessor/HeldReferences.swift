internal import CFirn
internal import FirnEngine

/// Where the instances of a class hold references to other objects, so that an instance that goes can give them up one
/// after the other.
///
/// Left to the runtime, a chain of objects would go by a recursion as deep as the chain is long, and overflow the stack.
/// Here it is only as deep as `depthMax`; what lies deeper waits in a list of the thread until the first object is done.
final class HeldReferences: Sendable {
  // State of a thread    guarded by
  // firn_releases()      only touched by the thread itself

  /// Offsets of wrappers whose value is one reference: links and collections.
  private let words: [Int]
  /// Wrappers whose value may refer to objects in other ways: mixed values, and custom types stored as objects.
  private let others: [Other]

  private struct Other: Sendable {
    let offset: Int
    let wrapper: any PersistedProperty.Type
  }

  private static var depthMax: Int64 { 16 }

  private final class Waiting {
    var values: [Any] = []
  }

  init(words: [Int]) {
    self.words = words
    others = []
  }

  private init(_ type: AnyClass) {
    var words: [Int] = []
    var others: [Other] = []
    for field in RuntimeFields.fields(of: type) {
      guard let wrapper = field.type as? any PersistedProperty.Type else { continue }
      let shape = wrapper.shape
      if shape.type != .object, shape.type != .any { continue }
      if shape.isCollection || (shape.type == .object && shape.custom == nil) {
        words.append(field.offset)
      } else {
        others.append(Other(offset: field.offset, wrapper: wrapper))
      }
    }
    self.words = words
    self.others = others
  }

  // MARK: By class

  private static let known = Lock<[ObjectIdentifier: HeldReferences]>([:])

  /// The references of a class, whose objects are unmanaged. What a class has, is found out once and never freed.
  @inline(__always)
  static func of(_ type: AnyClass) -> HeldReferences {
    let state = firn_releases().unsafelyUnwrapped
    let address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    if state.pointee.last_class == address, let last = state.pointee.last_references {
      return Unmanaged<HeldReferences>.fromOpaque(last)._withUnsafeGuaranteedRef { $0 }
    }
    return look(type, address)
  }

  @inline(never)
  private static func look(_ type: AnyClass, _ address: UnsafeRawPointer) -> HeldReferences {
    let id = ObjectIdentifier(type)
    let found: HeldReferences
    if let known = known.withLock({ $0[id] }) {
      found = known
    } else {
      let new = HeldReferences(type)
      found = known.withLock { known in
        if let other = known[id] { return other }
        known[id] = new
        return new
      }
    }
    let state = firn_releases().unsafelyUnwrapped
    state.pointee.last_class = address
    state.pointee.last_references = Unmanaged.passUnretained(found).toOpaque()
    return found
  }

  // MARK: Releasing

  /// Gives up what an instance that is going refers to.
  @inline(__always)
  func release(from object: UnsafeMutableRawPointer) {
    // Most accessors that go hold nothing.
    if !others.isEmpty || words.contains(where: { (object + $0).load(as: UInt.self) > 1 }) { releaseAll(from: object) }
  }

  @inline(never)
  private func releaseAll(from object: UnsafeMutableRawPointer) {
    for offset in words {
      let bits = (object + offset).load(as: UInt.self)
      // An optional of an optional link: 0 is a present nil, 1 no value.
      guard bits > 1, let address = UnsafeRawPointer(bitPattern: bits) else { continue }
      (object + offset).storeBytes(of: 0, as: UInt.self)
      let state = firn_releases().unsafelyUnwrapped
      if state.pointee.depth < Self.depthMax {
        state.pointee.depth += 1
        Unmanaged<AnyObject>.fromOpaque(address).release()
        state.pointee.depth -= 1
      } else {
        Self.wait(Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue())
      }
    }
    for other in others {
      let state = firn_releases().unsafelyUnwrapped
      if state.pointee.depth < Self.depthMax {
        state.pointee.depth += 1
        Self.drop(other, of: object)
        state.pointee.depth -= 1
      } else if let value = other.wrapper.takeReference(at: object + other.offset) {
        Self.wait(value)
      }
    }
    let state = firn_releases().unsafelyUnwrapped
    if state.pointee.depth == 0, state.pointee.list != nil { Self.releaseWaiting() }
  }

  /// Gives up the mixed values of a collection that goes, which may be collections within each other.
  @inline(never)
  static func release<Content>(_ content: inout Content, leaving empty: Content) {
    let state = firn_releases().unsafelyUnwrapped
    if state.pointee.depth < depthMax {
      state.pointee.depth += 1
      replace(&content, empty)
      state.pointee.depth -= 1
    } else {
      wait(content)
      content = empty
    }
    if state.pointee.depth == 0, state.pointee.list != nil { releaseWaiting() }
  }

  /// Not inlined: what was there goes in here, and not later.
  @inline(never)
  private static func replace<Content>(_ content: inout Content, _ new: Content) { content = new }

  /// Not inlined: the value goes in here, and not later.
  @inline(never)
  private static func drop(_ other: Other, of object: UnsafeMutableRawPointer) {
    _ = other.wrapper.takeReference(at: object + other.offset)
  }

  @inline(never)
  private static func wait(_ value: Any) {
    let state = firn_releases().unsafelyUnwrapped
    if let list = state.pointee.list {
      return Unmanaged<Waiting>.fromOpaque(list)._withUnsafeGuaranteedRef { $0.values.append(value) }
    }
    let waiting = Waiting()
    waiting.values.append(value)
    state.pointee.list = Unmanaged.passRetained(waiting).toOpaque()
  }

  /// Not inlined: an optimised `removeLast` would release the value within the list, to which that may add others.
  @inline(never)
  private static func letGo(_ value: consuming Any) {}

  @inline(never)
  private static func releaseWaiting() {
    let state = firn_releases().unsafelyUnwrapped
    guard let list = state.pointee.list else { return }
    let waiting = Unmanaged<Waiting>.fromOpaque(list).takeUnretainedValue()
    state.pointee.depth += 1
    while let value = waiting.values.popLast() { letGo(value) }
    state.pointee.depth -= 1
    state.pointee.list = nil
    Unmanaged<Waiting>.fromOpaque(list).release()
  }
}
