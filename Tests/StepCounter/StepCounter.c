#include "StepCounter.h"

#include <stddef.h>

#define NOT_COUNTED __attribute__((no_sanitize("coverage")))

static _Thread_local uint64_t steps;
static bool is_on;

NOT_COUNTED bool step_counter_is_on(void) { return is_on; }

NOT_COUNTED uint64_t step_counter_count(void) { return steps; }

// What compilers call from instrumented code, and once per module before anything else.

NOT_COUNTED void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  (void)guard;
  steps++;
}

NOT_COUNTED void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  (void)start;
  (void)stop;
  is_on = true;
}

// Takes the place of the C library's functions for the whole process, the Swift runtime included. Instructions instead of loops,
// which a compiler would make calls of these functions again.
#if defined(FIRN_COUNTS_STEPS) && defined(__x86_64__)

NOT_COUNTED void *memcpy(void *target, const void *source, size_t count) {
  steps += count / 64;
  void *result = target;
  __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
  return result;
}

NOT_COUNTED void *memmove(void *target, const void *source, size_t count) {
  if ((uintptr_t)target - (uintptr_t)source >= count) return memcpy(target, source, count);
  steps += count / 64;
  void *result = target;
  if (count == 0) return result;
  target = (char *)target + count - 1;
  source = (const char *)source + count - 1;
  __asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
  return result;
}

NOT_COUNTED void *memset(void *target, int value, size_t count) {
  steps += count / 64;
  void *result = target;
  __asm__ volatile("rep stosb" : "+D"(target), "+c"(count) : "a"(value) : "memory");
  return result;
}

#endif
