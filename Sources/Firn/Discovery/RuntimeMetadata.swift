/// The part of the Swift runtime's ABI that discovery rests on, for Linux and the toolchain this package is built with.
///
/// The layouts are facts of one toolchain, not promises of the language: nothing outside this file knows them, the
/// version of the section table is checked, and `isUnderstood` proves on known classes that reading them works. Where it
/// does not, discovery finds nothing and users list their classes in `Configuration(objectTypes:)`.
///
/// Section table: version, base and two reserved words, then pairs (start, length) of the sections
/// `swift5_protocols`, `swift5_protocol_conformances` and `swift5_type_metadata`. A type record is a relative reference
/// whose low two bits say direct (0) or through a pointer (1).
///
/// Class descriptor: flags u32 @0 (low five bits 16 = class, 0x80 = generic), metadata accessor @12, mangled name of the
/// superclass @20, the latter two as relative references. Class metadata: descriptor @40.
enum RuntimeMetadata {
  /// A class descriptor's address, which identifies the class without instantiating its metadata.
  typealias Descriptor = UnsafeRawPointer

  private struct SectionRange {
    var start: UInt
    var length: Int
  }

  private struct Sections {
    var version: UInt
    var base, reserved0, reserved1: UnsafeRawPointer?
    var protocols, conformances, types: SectionRange
  }

  private static let sectionsVersion: UInt = 5

  /// The descriptors of all classes of the process that are not generic, those of images loaded later included.
  static func classDescriptors() -> [Descriptor] {
    var found: [Descriptor] = []
    withUnsafeMutablePointer(to: &found) { found in
      enumerateMetadataSections(
        { table, context in
          let sections = table.assumingMemoryBound(to: Sections.self)
          guard sections.pointee.version == RuntimeMetadata.sectionsVersion else { return true }
          let found = context.assumingMemoryBound(to: [Descriptor].self)
          RuntimeMetadata.collectClasses(sections.pointee.types, into: &found.pointee)
          return true
        }, UnsafeMutableRawPointer(found))
    }
    return found
  }

  private static func collectClasses(_ section: SectionRange, into found: inout [Descriptor]) {
    guard let start = UnsafeRawPointer(bitPattern: section.start) else { return }
    for offset in stride(from: 0, to: section.length, by: 4) {
      let record = start + offset
      let reference = record.loadUnaligned(as: Int32.self)
      guard reference != 0 else { continue }
      let target = record + Int(reference & ~3)
      let descriptor: Descriptor
      switch reference & 3 {
      case 0: descriptor = target
      case 1:
        guard let pointee = target.load(as: UnsafeRawPointer?.self) else { continue }
        descriptor = pointee
      default: continue
      }
      let flags = descriptor.load(as: UInt32.self)
      if flags & 0x1f == 16, flags & 0x80 == 0 { found.append(descriptor) }
    }
  }

  /// The descriptor of the superclass, also of a generic one that is bound; nil for root classes.
  static func superclass(of descriptor: Descriptor) -> Descriptor? {
    guard let name = relative(descriptor + 20) else { return nil }
    let reference = name + 1
    let target = reference + Int(reference.loadUnaligned(as: Int32.self))
    // A symbolic reference, followed by nothing or by generic arguments: anything else is not understood.
    let rest = (name + 5).load(as: UInt8.self)
    guard rest == 0 || rest == UInt8(ascii: "y") else { return nil }
    switch name.load(as: UInt8.self) {
    case 1: return target
    case 2: return target.load(as: UnsafeRawPointer?.self)
    default: return nil
    }
  }

  /// The class of a descriptor. Instantiates its metadata, so call it for wanted classes only.
  static func type(of descriptor: Descriptor) -> AnyClass? {
    typealias Accessor = @convention(c) (Int) -> UnsafeRawPointer
    guard let accessor = relative(descriptor + 12) else { return nil }
    let metadata = unsafeBitCast(accessor, to: Accessor.self)(0)
    return unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
  }

  static func descriptor(of type: AnyClass) -> Descriptor {
    unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 40, as: UnsafeRawPointer.self)
  }

  private static func relative(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = field.load(as: Int32.self)
    return offset == 0 ? nil : field + Int(offset)
  }

  /// True where the layouts above hold: two known classes are found and related correctly.
  static let isUnderstood: Bool = {
    let base = descriptor(of: DiscoveryProbe.self)
    let derived = descriptor(of: DerivedDiscoveryProbe.self)
    let all = classDescriptors()
    guard all.contains(base), all.contains(derived), superclass(of: base) == nil, superclass(of: derived) == base
    else { return false }
    return type(of: derived) == DerivedDiscoveryProbe.self
  }()
}

private class DiscoveryProbe {}
private final class DerivedDiscoveryProbe: DiscoveryProbe {}

@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateMetadataSections(
  _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool,
  _ context: UnsafeMutableRawPointer)
