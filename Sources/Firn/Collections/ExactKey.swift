/// A key of a dictionary that equals another when their bytes do. Takes a time that is proportional to them: Swift's own
/// equality does not see in which order combining marks stand, for which it takes the square of their number.
@usableFromInline
struct ExactKey<Key: _MapKey>: Hashable {
  @usableFromInline let key: Key

  @usableFromInline
  init(_ key: Key) { self.key = key }

  @usableFromInline
  static func == (lhs: ExactKey, rhs: ExactKey) -> Bool { lhs.key._mapKey.utf8.elementsEqual(rhs.key._mapKey.utf8) }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    var text = key._mapKey
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactKey: Sendable where Key: Sendable {}
