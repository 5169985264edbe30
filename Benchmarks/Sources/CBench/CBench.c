#define _GNU_SOURCE
#include "CBench.h"

#include <malloc.h>
#include <string.h>

_Bool cbench_contains(const uint8_t *haystack, size_t haystack_byte_count, const uint8_t *needle,
                      size_t needle_byte_count) {
  return memmem(haystack, haystack_byte_count, needle, needle_byte_count) != NULL;
}

size_t cbench_heap_byte_count(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
