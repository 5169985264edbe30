#include <string.h>

#include "CFirn.h"

// Part of the runtime's stable interface: a fresh object, whose header alone is set.
extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

void *firn_copy_instance(const void *metadata, const void *image, size_t size, size_t alignment_mask) {
  char *object = swift_allocObject(metadata, size, alignment_mask);
  memcpy(object + FIRN_OBJECT_HEADER, (const char *)image + FIRN_OBJECT_HEADER, size - FIRN_OBJECT_HEADER);
  return object;
}
