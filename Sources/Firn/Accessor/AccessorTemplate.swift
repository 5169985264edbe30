/// The image of a class with the slot words of a table in it: what the accessors of that table are copied from.
///
/// Immutable. Whoever makes it deallocates it.
struct AccessorTemplate {
  private let layout: InstanceLayout
  private let memory: UnsafeMutableRawPointer

  init(_ image: AccessorImage, _ slots: [SlotWord]) {
    layout = image.layout
    memory = .allocate(byteCount: image.words.count * 8, alignment: 16)
    image.words.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
    for slot in slots { slot.store(in: memory) }
  }

  func deallocate() { memory.deallocate() }

  /// A new accessor, whose wrappers are managed, of no row yet.
  @inline(__always)
  func make() -> ObjectBase { Unmanaged<ObjectBase>.fromOpaque(layout.copy(memory)).takeRetainedValue() }
}

/// A word of a new accessor: a property's slot word, or what a property starts with that keeps what it handed out last.
struct SlotWord {
  let offset: Int
  let word: UInt64

  @inline(__always)
  func store(in object: UnsafeMutableRawPointer) { (object + offset).storeBytes(of: word, as: UInt64.self) }
}
