#include <sched.h>
#include <sys/prctl.h>

#include "kernels.h"

bool firn_has_avx2 = false;
int32_t firn_small_string_flag = 0;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// ThreadSanitizer does not see 32-byte accesses; the portable kernels show it what is read.
#define FIRN_KEEP_PORTABLE 1
#endif
#endif

#if FIRN_AVX2 && !FIRN_KEEP_PORTABLE
__attribute__((constructor)) static void choose_kernels(void) {
  __builtin_cpu_init();
  firn_has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                  __builtin_cpu_supports("popcnt");
}
#endif

void firn_spin_lock(uint32_t *lock) {
  int spins = 0;
  while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0) {
    // Wait on a plain load: an exchange per spin would keep the cache line moving.
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
      if (++spins < 100) {
#if FIRN_AVX2
        _mm_pause();
#endif
      } else {
        sched_yield();
      }
    }
  }
}

void firn_spin_unlock(uint32_t *lock) { __atomic_store_n(lock, 0u, __ATOMIC_RELEASE); }

// The exported table by which libdispatch lets debuggers read its queues: a version, then offset and size of label, flags,
// serial number and width. New entries come behind these.
extern const uint16_t dispatch_queue_offsets[9] __attribute__((weak));

uint32_t firn_queue_width(const void *queue) {
  if (!dispatch_queue_offsets || dispatch_queue_offsets[8] != sizeof(uint16_t)) return 0;
  uint16_t width;
  memcpy(&width, (const char *)queue + dispatch_queue_offsets[7], sizeof width);
  return width;
}

void firn_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
