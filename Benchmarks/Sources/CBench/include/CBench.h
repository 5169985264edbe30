#ifndef CBENCH_H
#define CBENCH_H

#include <stddef.h>
#include <stdint.h>

/// Makes the optimiser forget what memory holds. Costs no instruction, so a loop over one hot object really reads or
/// writes it in every turn.
static inline void cbench_clobber_memory(void) {
  __asm__ volatile("" ::: "memory");
}

/// Makes the optimiser believe that `value` is used.
static inline void cbench_consume(int64_t value) {
  __asm__ volatile("" ::"r"(value) : "memory");
}

/// Whether `needle` occurs in `haystack`: what a Swift program that cares calls instead of `String.contains`.
_Bool cbench_contains(const uint8_t *haystack, size_t haystack_byte_count, const uint8_t *needle,
                      size_t needle_byte_count);

/// Bytes that the program holds from malloc, in arenas and in mappings of their own.
size_t cbench_heap_byte_count(void);

/// How much room `cbench_compress` needs at most.
size_t cbench_compressed_byte_count_max(size_t byte_count);

/// Compresses as `zstd -1` does, and returns the number of bytes; 0 when that failed.
size_t cbench_compress(void *target, size_t target_byte_count, const void *source, size_t source_byte_count);

#endif
