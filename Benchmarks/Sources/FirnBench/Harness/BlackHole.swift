import CBench

// Values end here, so that the optimiser cannot drop the loop that makes them.

@inline(never)
func blackHole(_ value: Int) {
  cbench_consume(Int64(value))
}

@inline(never)
func blackHole(_ value: Double) {
  cbench_consume(Int64(bitPattern: value.bitPattern))
}

@inline(never)
func blackHole(_ value: String) {
  cbench_consume(Int64(value.utf8.count))
}

@inline(never)
func blackHole<Value>(_ value: Value) {
  cbench_consume(Int64(MemoryLayout<Value>.size))
}

/// Ends a turn of a loop over one hot object: without it the optimiser would read the property once for all turns.
@inline(__always)
func clobberMemory() {
  cbench_clobber_memory()
}
