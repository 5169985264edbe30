#define _GNU_SOURCE
#include "CBench.h"

#include <malloc.h>
#include <string.h>
#include <zstd.h>

_Bool cbench_contains(const uint8_t *haystack, size_t haystack_byte_count, const uint8_t *needle,
                      size_t needle_byte_count) {
  return memmem(haystack, haystack_byte_count, needle, needle_byte_count) != NULL;
}

size_t cbench_heap_byte_count(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

size_t cbench_compressed_byte_count_max(size_t byte_count) { return ZSTD_compressBound(byte_count); }

size_t cbench_compress(void *target, size_t target_byte_count, const void *source, size_t source_byte_count) {
  size_t byte_count = ZSTD_compress(target, target_byte_count, source, source_byte_count, 1);
  return ZSTD_isError(byte_count) ? 0 : byte_count;
}
