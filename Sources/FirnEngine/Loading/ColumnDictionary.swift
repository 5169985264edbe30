/// The distinct values of a string or data column while it is loaded: those of the file's dictionary, and those found in
/// plain chunks if the column is interned.
///
/// State    guarded by
/// state    its lock
final class ColumnDictionary: Sendable {
  private struct State {
    var values = ByteStrings()
    /// Where each value starts in `values.bytes`.
    var starts: [Int] = []
    var isSet = false
    /// Values by hash, counted from 1, in a power of two places; 0 is free. Empty until somebody looks up.
    var places: [UInt32] = []

    func isValue(_ id: Int, _ value: UnsafeRawBufferPointer) -> Bool {
      values.bytes.withUnsafeBytes { bytes in
        bytes[starts[id]..<(starts[id] + Int(values.lengths[id]))].elementsEqual(value)
      }
    }
  }

  private let state = Guarded(State())
  private let seed: HashSeed

  init(seed: HashSeed) { self.seed = seed }

  /// Sets the values of the file, which have been checked. False when there are values already.
  func set(_ values: ByteStrings) -> Bool {
    state.withLock { state in
      if state.isSet || !state.values.lengths.isEmpty { return false }
      state.isSet = true
      state.values = values
      var start = 0
      state.starts.reserveCapacity(values.lengths.count)
      for length in values.lengths {
        state.starts.append(start)
        start += Int(length)
      }
      return true
    }
  }

  var count: Int { state.withLock { $0.values.lengths.count } }

  var values: ByteStrings { state.withLock { $0.values } }

  /// The values and where each starts.
  var located: (values: ByteStrings, starts: [Int]) { state.withLock { ($0.values, $0.starts) } }

  /// The positions of values, counted from 1; new ones are added. Rows for which `isNull` holds get 0.
  func intern(_ values: ByteStrings, nulls: [UInt64]?) -> [UInt32] {
    var ids: [UInt32] = []
    ids.reserveCapacity(values.lengths.count)
    state.withLock { state in
      values.bytes.withUnsafeBytes { bytes in
        var start = 0
        for (row, length) in values.lengths.enumerated() {
          let value = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(length))])
          start += Int(length)
          if let nulls, nulls[row >> 6] >> UInt64(row & 63) & 1 != 0 {
            ids.append(0)
          } else {
            ids.append(intern(value, &state))
          }
        }
      }
    }
    return ids
  }

  private func intern(_ value: UnsafeRawBufferPointer, _ state: inout State) -> UInt32 {
    if (state.values.lengths.count + 1) * 2 > state.places.count { grow(&state) }
    var place = Int(truncatingIfNeeded: BytesKey(value).hash(seed: seed)) & (state.places.count - 1)
    while state.places[place] != 0 {
      let id = Int(state.places[place]) - 1
      if state.isValue(id, value) { return UInt32(id + 1) }
      place = (place + 1) & (state.places.count - 1)
    }
    state.starts.append(state.values.bytes.count)
    state.values.lengths.append(UInt32(value.count))
    state.values.bytes.append(contentsOf: value)
    state.places[place] = UInt32(state.values.lengths.count)
    return state.places[place]
  }

  private func grow(_ state: inout State) {
    var count = 64
    while count < (state.values.lengths.count + 1) * 4 { count *= 2 }
    state.places = [UInt32](repeating: 0, count: count)
    state.values.bytes.withUnsafeBytes { bytes in
      for id in state.values.lengths.indices {
        let start = state.starts[id]
        let value = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(state.values.lengths[id]))])
        var place = Int(truncatingIfNeeded: BytesKey(value).hash(seed: seed)) & (count - 1)
        while state.places[place] != 0, !state.isValue(Int(state.places[place]) - 1, value) {
          place = (place + 1) & (count - 1)
        }
        // The file may have a value again and again; the first one is found.
        if state.places[place] == 0 { state.places[place] = UInt32(id + 1) }
      }
    }
  }
}
