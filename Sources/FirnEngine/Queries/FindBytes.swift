internal import CFirn

/// Whether `needle` occurs in `bytes`.
func find(_ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
  if bytes.isEmpty || needle.isEmpty { return needle.isEmpty }
  return firn_find(bytes.baseAddress, bytes.count, needle.baseAddress, needle.count) >= 0
}
