#pragma once
#include <stdint.h>
#include <stdbool.h>

static inline uint64_t firn_thread_pointer(void) { return (uint64_t)__builtin_thread_pointer(); }

extern __thread int32_t firn_making_accessor_flag;
static inline bool firn_making_accessor(void) { return __builtin_expect(firn_making_accessor_flag != 0, 0); }
static inline void firn_set_making_accessor(int32_t on) { firn_making_accessor_flag = on; }

static inline uint64_t firn_load_acquire(const void *p) { return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE); }
static inline uint64_t firn_load_relaxed(const void *p) { return __atomic_load_n((const uint64_t *)p, __ATOMIC_RELAXED); }
static inline void firn_store_relaxed(void *p, uint64_t v) { __atomic_store_n((uint64_t *)p, v, __ATOMIC_RELAXED); }
static inline void firn_store_release(void *p, uint64_t v) { __atomic_store_n((uint64_t *)p, v, __ATOMIC_RELEASE); }
static inline void firn_store_seq(void *p, uint64_t v) { __atomic_store_n((uint64_t *)p, v, __ATOMIC_SEQ_CST); }

void firn_lock_slow(void *p);
static inline void firn_lock(void *p) {
  if (__builtin_expect(__atomic_exchange_n((uint32_t *)p, 1, __ATOMIC_ACQUIRE) != 0, 0)) firn_lock_slow(p);
}
static inline void firn_unlock(void *p) { __atomic_store_n((uint32_t *)p, 0, __ATOMIC_RELEASE); }

// One cache line per thread, registered once in a global list, recycled when its thread ends (not shown).
struct firn_hazard { uint64_t context; struct firn_hazard *next; uint64_t pad[6]; };
extern __thread struct firn_hazard *firn_my_hazard;
struct firn_hazard *firn_register_hazard(void);
static inline struct firn_hazard *firn_hazard(void) {
  struct firn_hazard *h = firn_my_hazard;
  return __builtin_expect(h != 0, 1) ? h : firn_register_hazard();
}
void firn_wait_hazards(uint64_t context);
void *firn_opaque(void *p);
void firn_learn_count_words(void *object, uint64_t *one, uint64_t *two);
void *firn_bump(unsigned long size);
static inline void firn_prefetch(const void *p) { __builtin_prefetch(p, 0, 3); }
