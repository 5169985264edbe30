internal import FirnEngine

/// Values whose type is not known, told apart as `distinct()` tells stored ones.
enum DistinctValues {
  /// The first of values that are equal: texts by their bytes, numbers by their value, NaN and itself, accessors of one row.
  /// A collection equals itself only.
  ///
  /// - Complexity: O(n log n).
  static func of(_ values: [Any]) -> [Any] {
    var numbers: [ObjectIdentity: UInt64] = [:]
    let stored = values.enumerated().map { index, value -> Value in
      if let object = Unwrapping.object(value) {
        let identity = ObjectIdentity(object)
        let number = numbers[identity] ?? UInt64(index)
        numbers[identity] = number
        return .link(RowKey(number))
      }
      if value is CollectionBase { return .link(RowKey(UInt64(index))) }
      guard let value = Unwrapping.value(value) else { return .null }
      return (value as? any _QueryOperand)?._constant.value ?? .link(RowKey(UInt64(index)))
    }
    var positions = values.indices.map { UInt64($0) }
    ElementRanks(stored).removeRepeats(&positions)
    return positions.map { values[Int($0)] }
  }
}
