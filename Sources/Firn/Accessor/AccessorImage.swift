/// What a new accessor of a class holds, so that accessors are made without the initialisers of their class.
///
///     ┌────────┬─────────────────────────┬─────────────────────┐
///     │ header │ fields of `ObjectBase`  │ wrappers, all empty │
///     └────────┴─────────────────────────┴─────────────────────┘
///     0        16                                  instance size
///
/// Only classes have one whose fields are known to the last byte: those of `ObjectBase`, and behind them nothing but
/// persisted properties. Initial values, and what the user's initialisers do, are of no use to an accessor. A class with
/// fields of another kind needs its initialiser to set them.
///
/// Invariants:
/// - nothing in it is a reference, so that its bytes may be copied: an unmanaged object of the base class refers to
///   nothing, and neither does an empty wrapper
/// - the header is not part of it: the runtime writes that of each object
struct AccessorImage: Sendable {
  let layout: InstanceLayout
  /// The bytes of an instance; 0 in place of the header and between fields.
  let words: [UInt64]

  /// - Parameters:
  ///   - ignored: The offsets of persisted properties that the schema leaves out. They find their initial values when they
  ///     are read.
  /// - Returns: Nil for a class that needs its initialiser, and where the runtime is not the one this was written for.
  init?(of type: ObjectBase.Type, ignored: [Int]) {
    guard InstanceLayout.isKnown, let layout = InstanceLayout(of: type) else { return nil }
    let fields = RuntimeFields.fields(of: type)
    let baseCount = RuntimeFields.fields(of: ObjectBase.self).count
    guard fields.count >= baseCount, Self.fill(fields, layout.size) else { return nil }
    var wrappers: [(offset: Int, type: any PersistedProperty.Type)] = []
    for field in fields.dropFirst(baseCount) {
      guard let wrapper = field.type as? any PersistedProperty.Type else { return nil }
      wrappers.append((field.offset, wrapper))
    }
    self.layout = layout
    words = Self.words(layout.size, from: fields[..<baseCount], wrappers, ignored: ignored)
  }

  private static func words(
    _ size: Int, from fields: ArraySlice<RuntimeFields.Field>,
    _ wrappers: [(offset: Int, type: any PersistedProperty.Type)], ignored: [Int]
  ) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (size + 7) / 8)
    let base = ObjectBase()
    words.withUnsafeMutableBytes { bytes in
      guard let image = bytes.baseAddress else { return }
      withExtendedLifetime(base) {
        let object = UnsafeRawPointer(Unmanaged.passUnretained(base).toOpaque())
        for field in fields {
          (image + field.offset).copyMemory(from: object + field.offset, byteCount: Self.layout(of: field.type).size)
        }
      }
      for wrapper in wrappers {
        wrapper.type.makeEmpty(
          at: image + wrapper.offset, slot: ignored.contains(wrapper.offset) ? PropertySlot.lostDefault : 0)
      }
    }
    return words
  }

  /// Whether the fields follow each other from the header to the end of the instance, without a gap in which there might
  /// be something that reflection does not show.
  private static func fill(_ fields: [RuntimeFields.Field], _ size: Int) -> Bool {
    var end = InstanceLayout.headerSize
    for field in fields {
      let layout = layout(of: field.type)
      guard field.offset == (end + layout.alignment - 1) / layout.alignment * layout.alignment else { return false }
      end = field.offset + layout.size
    }
    return end == size
  }

  private static func layout(of type: Any.Type) -> (size: Int, alignment: Int) {
    func open<T>(_: T.Type) -> (size: Int, alignment: Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
    return _openExistential(type, do: open)
  }
}
