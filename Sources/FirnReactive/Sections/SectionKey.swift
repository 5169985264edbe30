package import FirnEngine

/// What tells sections apart: a stored value, equal to another by the rules of sorting. So numbers of all kinds are equal
/// by value, NaN equals itself, the zeros are one, and null is a key like any other.
package struct SectionKey: Hashable, Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value =
      switch value {
      case .double(0): .double(0)
      case .float(0): .float(0)
      case .date(0): .date(0)
      default: value
      }
  }

  package static func == (lhs: SectionKey, rhs: SectionKey) -> Bool { lhs.value.order(to: rhs.value) == 0 }

  package func hash(into hasher: inout Hasher) {
    switch value {
    case .int(let number): hasher.combine(DecimalFloat(number))
    case .float(let number): hasher.combine(DecimalFloat(Double(number)))
    case .double(let number): hasher.combine(DecimalFloat(number))
    case .decimal128(let bits): hasher.combine(DecimalFloat(bits))
    case .date(let seconds): hasher.combine(seconds.isNaN ? .nan : seconds)
    case .list, .map: break
    default: hasher.combine(value)
    }
  }
}
