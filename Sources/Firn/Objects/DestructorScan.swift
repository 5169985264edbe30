#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds out whether a class's destructor runs user code, by reading its machine code.
///
/// Nothing in a class's metadata says whether its author wrote a `deinit`: one is synthesised for every class. What can
/// be told is what it does. The scan follows every path of the deallocating destructor and accepts it only if all
/// instructions are of a small known set and
/// - store nowhere but on the stack,
/// - jump forward only (so they end),
/// - call only the runtime's retain, release and deallocate, the deinit of the library's base class, or functions for
///   which the same holds (the destructors of classes between, outlined releases of optionals), and
/// - release no more often than there are properties to release.
///
/// Code like that cannot be observed, whoever wrote it. Anything else, every unknown instruction, instrumentation by a
/// sanitizer or for coverage, an unoptimised build, another processor: all count as user code. So errors go one way.
struct DestructorScan: Sendable {
  enum Verdict: Sendable {
    case releasesFieldsOnly
    case mayRunUserCode
    /// A call goes through a stub of the dynamic linker that was not used yet.
    case unbound
  }

  fileprivate enum Call { case retain, release, deallocate, baseDeinit }

  private let known: [UInt: Call]

  /// - Parameter reference: a class that declares nothing, derived directly from the base class.
  init(reference: AnyClass) {
    var known: [UInt: Call] = [:]
    for (name, call) in Self.runtime {
      if let address = dlsym(nil, name) { known[UInt(bitPattern: address)] = call }
    }
    // What the reference's destructor calls first is the base class's deinit; then it only deallocates.
    var scan = Walk(known: known, releasesAtMost: 0)
    _ = scan.run(from: Self.destructor(of: reference))
    if let deinitialiser = scan.firstCall, known[deinitialiser] == nil { known[deinitialiser] = .baseDeinit }
    self.known = known
  }

  func verdict(on type: AnyClass, releasesAtMost count: Int) -> Verdict {
    var walk = Walk(known: known, releasesAtMost: count)
    let verdict = walk.run(from: Self.destructor(of: type))
    // A destructor that leaves out the base class or never frees was not understood.
    guard verdict != .releasesFieldsOnly || (walk.calls(.baseDeinit) && walk.calls(.deallocate)) else {
      return .mayRunUserCode
    }
    return verdict
  }

  private static let runtime: [(String, Call)] = [
    ("swift_retain", .retain),
    ("swift_release", .release), ("swift_bridgeObjectRelease", .release),
    ("swift_deallocClassInstance", .deallocate),
  ]

  /// Class metadata is preceded by the value witness table and, before that, the deallocating destructor.
  private static func destructor(of type: AnyClass) -> UInt {
    unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: -16, as: UInt.self)
  }
}

/// One walk over all paths of a function and of those it calls. x86-64 only.
private struct Walk {
  private let known: [UInt: DestructorScan.Call]
  private let releasesAtMost: Int
  private var retains = 0
  private var releases = 0
  private var called: Set<DestructorScan.Call> = []
  /// Calls only, not jumps: identical ends of destructors are often merged into a function they jump to.
  private(set) var firstCall: UInt?
  private var instructionsLeft = 2_000

  init(known: [UInt: DestructorScan.Call], releasesAtMost count: Int) {
    self.known = known
    releasesAtMost = count
  }

  func calls(_ call: DestructorScan.Call) -> Bool { called.contains(call) }

  mutating func run(from start: UInt) -> DestructorScan.Verdict {
    #if arch(x86_64)
      let verdict = function(at: start, depth: 0)
      // The code may retain the object itself before it releases the properties, and release it after.
      return verdict == .releasesFieldsOnly && releases > releasesAtMost + retains ? .mayRunUserCode : verdict
    #else
      return .mayRunUserCode
    #endif
  }

  private mutating func function(at start: UInt, depth: Int) -> DestructorScan.Verdict {
    guard depth < 6 else { return .mayRunUserCode }
    var open = [start]
    var seen: Set<UInt> = []
    while let next = open.popLast() {
      var address = next
      path: while seen.insert(address).inserted {
        instructionsLeft -= 1
        guard instructionsLeft > 0, let instruction = Instruction(at: address) else { return .mayRunUserCode }
        let following = address + UInt(instruction.length)
        switch instruction.effect {
        case .plain:
          address = following
        case .end:
          break path
        case .branch(let target):
          guard target >= following else { return .mayRunUserCode }
          open.append(target)
          address = following
        case .jump(let target) where target >= following && target < following + 256 && !isFunction(target):
          address = target
        case .jump(let target):
          let verdict = call(target, depth: depth)
          guard verdict == .releasesFieldsOnly else { return verdict }
          break path
        case .call(let target):
          if firstCall == nil { firstCall = target }
          let verdict = call(target, depth: depth)
          guard verdict == .releasesFieldsOnly else { return verdict }
          address = following
        }
      }
    }
    return .releasesFieldsOnly
  }

  /// True for what is certainly another function; jumps to others that are near are followed as part of this one,
  /// which comes to the same.
  private func isFunction(_ target: UInt) -> Bool {
    known[target] != nil || Instruction.stubSlot(at: target) != nil
  }

  private mutating func call(_ function: UInt, depth: Int) -> DestructorScan.Verdict {
    var target = function
    if let slot = Instruction.stubSlot(at: function) {
      target = UnsafePointer<UInt>(bitPattern: slot)?.pointee ?? 0
      // An unbound slot leads back into the stub.
      if target > function, target < function + 16 { return .unbound }
    }
    guard let call = known[target] else { return self.function(at: target, depth: depth + 1) }
    called.insert(call)
    if call == .retain { retains += 1 }
    if call == .release { releases += 1 }
    return .releasesFieldsOnly
  }
}

/// An x86-64 instruction of the set that synthesised destructors consist of.
private struct Instruction {
  enum Effect {
    case plain, end
    case branch(UInt)
    case jump(UInt)
    case call(UInt)
  }

  let length: Int
  let effect: Effect

  /// The slot that the stub of a dynamically linked function jumps through; nil if this is no such stub.
  static func stubSlot(at address: UInt) -> UInt? {
    guard let code = UnsafePointer<UInt8>(bitPattern: address) else { return nil }
    // endbr64 may come first, a bnd prefix before the jump
    var at = 0
    if code[0] == 0xf3, code[1] == 0x0f, code[2] == 0x1e, code[3] == 0xfa { at = 4 }
    if code[at] == 0xf2 { at += 1 }
    guard code[at] == 0xff, code[at + 1] == 0x25 else { return nil }
    return Self.offset(address + UInt(at) + 6, code + at + 2)
  }

  private static func offset(_ base: UInt, _ displacement: UnsafePointer<UInt8>) -> UInt {
    let value = UnsafeRawPointer(displacement).loadUnaligned(as: Int32.self)
    return base &+ UInt(bitPattern: Int(value))
  }

  /// Nil for everything that is not known to be harmless.
  init?(at address: UInt) {
    guard let code = UnsafePointer<UInt8>(bitPattern: address) else { return nil }
    var at = 0
    var wide = false  // REX.W
    if code[0] == 0xf3, code[1] == 0x0f, code[2] == 0x1e, code[3] == 0xfa {  // endbr64
      self.init(length: 4, effect: .plain)
      return
    }
    while code[at] == 0x66 { at += 1 }
    if code[at] == 0x2e, code[at + 1] == 0x0f, code[at + 2] == 0x1f { at += 1 }  // the segment prefix of long nops
    var extendsBase = false
    if code[at] & 0xf0 == 0x40 {
      wide = code[at] & 8 != 0
      extendsBase = code[at] & 1 != 0
      at += 1
    }
    if at > 0, code[0] == 0x66, !(code[at] == 0x0f && code[at + 1] == 0x1f), code[at] != 0x90 { return nil }
    let opcode = code[at]
    at += 1

    switch opcode {
    case 0x50...0x5f, 0x90:  // push, pop, nop
      self.init(length: at, effect: .plain)
    case 0xb8...0xbf:  // mov register, immediate
      self.init(length: at + (wide ? 8 : 4), effect: .plain)
    case 0x3c, 0xa8:  // cmp, test al, immediate
      self.init(length: at + 1, effect: .plain)
    case 0x3d, 0xa9, 0x25, 0x05, 0x2d:  // cmp, test, and, add, sub eax, immediate
      self.init(length: at + 4, effect: .plain)
    case 0xc3:  // ret
      self.init(length: at, effect: .end)
    case 0xe8:
      self.init(length: at + 4, effect: .call(Self.offset(address + UInt(at + 4), code + at)))
    case 0xe9:
      self.init(length: at + 4, effect: .jump(Self.offset(address + UInt(at + 4), code + at)))
    case 0xeb:
      let target = address &+ UInt(at + 1) &+ UInt(bitPattern: Int(Int8(bitPattern: code[at])))
      self.init(length: at + 1, effect: .jump(target))
    case 0x70...0x7f:
      let target = address &+ UInt(at + 1) &+ UInt(bitPattern: Int(Int8(bitPattern: code[at])))
      self.init(length: at + 1, effect: .branch(target))
    case 0xff:  // call and jump through a slot of the linker, which does not change once bound
      guard code[at] == 0x15 || code[at] == 0x25, !wide else { return nil }
      let slot = Self.offset(address + UInt(at + 5), code + at + 1)
      guard let target = UnsafePointer<UInt>(bitPattern: slot)?.pointee else { return nil }
      self.init(length: at + 5, effect: code[at] == 0x15 ? .call(target) : .jump(target))
    case 0x0f:
      let second = code[at]
      at += 1
      switch second {
      case 0x80...0x8f:
        self.init(length: at + 4, effect: .branch(Self.offset(address + UInt(at + 4), code + at)))
      case 0x1f, 0xb6, 0xb7, 0xbe, 0xbf, 0x40...0x4f, 0xa3:  // nop, movzx, movsx, cmov, bt: memory is only read
        self.init(operandAt: code, at, immediate: 0, writesMemory: false, extendsBase)
      case 0x90...0x9f:  // setcc
        self.init(operandAt: code, at, immediate: 0, writesMemory: true, extendsBase)
      case 0xba:  // bt register, immediate
        guard code[at] >> 3 & 7 == 4 else { return nil }
        self.init(operandAt: code, at, immediate: 1, writesMemory: false, extendsBase)
      default: return nil
      }
    case 0x8b, 0x8d, 0x63, 0x85, 0x84, 0x38, 0x39, 0x3a, 0x3b, 0x03, 0x23, 0x2b, 0x33, 0x0b, 0x8a:
      // load, lea, sign extension, test, cmp, arithmetic into a register: memory is only read
      self.init(operandAt: code, at, immediate: 0, writesMemory: false, extendsBase)
    case 0x89, 0x88, 0x01, 0x09, 0x21, 0x29, 0x31:  // mov and arithmetic into register or memory
      self.init(operandAt: code, at, immediate: 0, writesMemory: true, extendsBase)
    case 0x80, 0x83:  // arithmetic with a byte; 7 is cmp
      self.init(operandAt: code, at, immediate: 1, writesMemory: code[at] >> 3 & 7 != 7, extendsBase)
    case 0x81:
      self.init(operandAt: code, at, immediate: 4, writesMemory: code[at] >> 3 & 7 != 7, extendsBase)
    case 0xc1:  // shift
      self.init(operandAt: code, at, immediate: 1, writesMemory: true, extendsBase)
    case 0xd1:
      self.init(operandAt: code, at, immediate: 0, writesMemory: true, extendsBase)
    case 0xf6, 0xf7:  // test with an immediate
      guard code[at] >> 3 & 7 == 0 else { return nil }
      self.init(operandAt: code, at, immediate: opcode == 0xf6 ? 1 : 4, writesMemory: false, extendsBase)
    case 0xc7:  // mov immediate
      guard code[at] >> 3 & 7 == 0 else { return nil }
      self.init(operandAt: code, at, immediate: 4, writesMemory: true, extendsBase)
    default:
      return nil
    }
  }

  private init(length: Int, effect: Effect) {
    self.length = length
    self.effect = effect
  }

  /// An instruction with a ModRM operand. Writing memory is accepted for the stack only, that is relative to rsp.
  private init?(
    operandAt code: UnsafePointer<UInt8>, _ start: Int, immediate: Int, writesMemory: Bool, _ extendsBase: Bool
  ) {
    let mode = code[start] >> 6
    let base = code[start] & 7
    var length = start + 1
    if mode != 3 {
      var isStack = false
      if base == 4 {
        isStack = code[length] == 0x24 && !extendsBase  // rsp, no index
        if code[length] & 7 == 5, mode == 0 { length += 4 }
        length += 1
      }
      if mode == 1 { length += 1 }
      if mode == 2 || mode == 0 && base == 5 { length += 4 }
      if writesMemory, !isStack { return nil }
    }
    self.init(length: length + immediate, effect: .plain)
  }
}
