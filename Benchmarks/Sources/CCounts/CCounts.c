#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Replaces the source of SystemRandomNumberGenerator, so that seeds of hashes and identifiers of stores, and with them
// the work on tables and files, are alike in all runs. SplitMix64.
void swift_stdlib_random(void *buffer, size_t count) {
  static uint64_t state;
  uint8_t *next = buffer;
  while (count > 0) {
    uint64_t mixed = __atomic_add_fetch(&state, 0x9E3779B97F4A7C15, __ATOMIC_RELAXED);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    mixed ^= mixed >> 31;
    size_t part = count < sizeof mixed ? count : sizeof mixed;
    memcpy(next, &mixed, part);
    next += part;
    count -= part;
  }
}
